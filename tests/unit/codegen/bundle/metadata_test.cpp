// Tests the metadata of a bundle: each fault is refused with the name of its part.
#include "codegen/bundle/bundle_json.h"
#include "dsl/support/error.h"
#include "tests/oracle/bundle_builder.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

std::string sample() {
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(3);
  const BufferId f = builder.input({x}, {1, 2, 3});
  builder.output(builder.operation({Reduce::Sum, Combine::Times}, {f}, {}));
  Bundle bundle = builder.finish();
  bundle.name = "Z";
  bundle.kind = QueryKind::Marginals;
  bundle.kernels.push_back({"k", "plan", "source", 7, 128, 64, {{"sm_90", "image"}}, {}});
  bundle.kernels[0].tuning = KernelTuning{2, 1.5, 2.5};
  PostsolveMap answer;
  answer.scale.factor = {1.25, -2000};
  answer.variables = {{"v", 3, {}}};
  answer.evidence.add({{VarId(0), 1}});
  answer.evidence.findings[0].fixed = true;
  bundle.answer = answer;
  return bundleToJson(bundle, BundleText::Complete, -1);
}

/// Returns the refusal of the sample with one part, which it must have, exchanged for another.
std::string refusal(std::string_view part, std::string_view other) {
  std::string text = sample();
  const size_t at = text.find(part);
  if (at == std::string::npos)
    return "not in " + text;
  text.replace(at, part.size(), other);
  BundleBulk bulk;
  try {
    Bundle bundle;
    bundleFromJson(text, bundle, bulk);
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "";
}

TEST(BundleMetadata, IsReadAsItWasWritten) {
  BundleBulk bulk;
  Bundle bundle;
  bundleFromJson(sample(), bundle, bulk);
  EXPECT_EQ(bulk.tableElems, (std::vector<uint64_t>{3}));
  EXPECT_EQ(bulk.cubinBytes, (std::vector<uint64_t>{5}));
  EXPECT_EQ(bundle.kernels[0].tuning->modelUs, 2.5);
  ASSERT_TRUE(bundle.answer);
  EXPECT_EQ(bundle.answer->scale.factor.exponent, -2000);
  EXPECT_EQ(bundle.answer->evidence.state(VarId(0)), 1u);
  EXPECT_TRUE(bundle.answer->evidence.find(VarId(0))->fixed);
}

TEST(BundleMetadata, SaysWhatIsWrong) {
  EXPECT_EQ(refusal("{", "{{"), "bundle metadata: not valid JSON");
  EXPECT_EQ(refusal("\"plan\":\"plan\",", ""), "bundle metadata: 'plan' is missing");
  EXPECT_EQ(refusal("\"plan\":\"plan\"", "\"plan\":4"), "bundle metadata: 'plan' is not a text");
  EXPECT_EQ(refusal("\"forced_log\":false", "\"forced_log\":0"),
            "bundle metadata: 'forced_log' is neither true nor false");
  EXPECT_EQ(refusal("\"block_threads\":128", "\"block_threads\":4294967296"),
            "bundle metadata: 'block_threads' is not a count up to 4294967295");
  EXPECT_EQ(refusal("\"block_threads\":128", "\"block_threads\":-3"),
            "bundle metadata: 'block_threads' is not a count up to 4294967295");
  EXPECT_EQ(refusal("\"buffers\":[", "\"buffers\":7,\"x\":["),
            "bundle metadata: 'buffers' is not a list");
  EXPECT_EQ(refusal("\"scope\":[0]", "\"scope\":[[]]"),
            "bundle metadata: 'scope' holds something that is not a count up to 4294967294");
  EXPECT_EQ(refusal("\"time_us\":1.5", "\"time_us\":0"),
            "bundle metadata: 'time_us' is not a time");
  EXPECT_EQ(refusal(fmt::format("\"format\":{}", kBundleFormatVersion),
                    fmt::format("\"format\":{}", kBundleFormatVersion + 1)),
            fmt::format("bundle metadata: format {} is not {}", kBundleFormatVersion + 1,
                        kBundleFormatVersion));
}

TEST(BundleMetadata, SaysWhatIsWrongWithThePostsolveMap) {
  EXPECT_EQ(refusal("\"answer\":{", "\"answer\":[],\"x\":{"),
            "bundle metadata: answer: 'mantissa' is missing");
  EXPECT_EQ(refusal("\"mantissa\":1.25", "\"mantissa\":\"1\""),
            "bundle metadata: answer: 'mantissa' is no number");
  for (const char *other : {"1.0", "9223372036854775808", "null"})
    EXPECT_EQ(refusal("\"exponent\":-2000", std::string("\"exponent\":") + other),
              "bundle metadata: answer: 'exponent' is no integer");
  EXPECT_EQ(refusal("\"fixed\":true", "\"fixed\":1"),
            "bundle metadata: answer: 'fixed' is neither true nor false");
  EXPECT_EQ(refusal("\"steps\":[]", "\"steps\":{}"), "bundle metadata: answer: 'steps' is no list");
}

} // namespace
} // namespace mpf
