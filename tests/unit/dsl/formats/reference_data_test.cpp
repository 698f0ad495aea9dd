// Round trips over published networks with reference answers.
#include "dsl/formats/bif/bif_reader.h"
#include "dsl/formats/network/model_name.h"
#include "dsl/formats/result_file.h"
#include "dsl/formats/uai/uai_writer.h"
#include "tests/unit/dsl/formats/reference_data.h"

#include <bit>

using namespace mpf;

namespace {

/// Compares bits, so that -0 is not 0.
bool sameBits(const std::vector<double> &a, const std::vector<double> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y);
  });
}

} // namespace

TEST_F(ReferenceData, CountsAreTheOnesOnRecord) {
  for (const auto &[name, instance] : instances_.items()) {
    SCOPED_TRACE(name);
    const Model read = modelWithEvidence(instance);
    const auto &stats = instance.at("stats");
    uint64_t entries = 0, zeros = 0;
    uint32_t maxExtent = 0;
    size_t maxArity = 0;
    for (const Variable &variable : read.variables)
      maxExtent = std::max(maxExtent, variable.extent);
    for (const Factor &factor : read.factors) {
      entries += factor.values->size();
      maxArity = std::max(maxArity, factor.scope.size());
      zeros += std::count(factor.values->begin(), factor.values->end(), 0.0);
    }
    EXPECT_EQ(read.variables.size(), stats.at("nvars"));
    EXPECT_EQ(read.factors.size(), stats.at("nfactors"));
    EXPECT_EQ(entries, stats.at("table_entries"));
    EXPECT_EQ(zeros, stats.at("zero_entries"));
    EXPECT_EQ(maxExtent, stats.at("max_dom"));
    EXPECT_EQ(maxArity, stats.at("max_arity"));
    EXPECT_EQ(read.evidence.findings.size(), stats.at("nevid"));
    EXPECT_EQ(read.name, modelNameFor(instance.at("model")));
  }
}

TEST_F(ReferenceData, NumbersAreStrtods) {
  for (const auto &[name, instance] : instances_.items()) {
    SCOPED_TRACE(name);
    const auto text = load(instance.at("model"));
    const Model read = model(text);
    // The C library reads the tables a second time, from the end of the scopes on.
    const char *at = text->text().data();
    size_t skip = 2 + read.variables.size() + 1 + read.factors.size();
    for (const Factor &factor : read.factors)
      skip += factor.scope.size();
    const auto isBlank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    for (; skip > 0; --skip) {
      while (isBlank(*at))
        ++at;
      while (*at != '\0' && !isBlank(*at))
        ++at;
    }
    for (const Factor &factor : read.factors) {
      char *after = nullptr;
      ASSERT_EQ(std::strtoull(at, &after, 10), factor.values->size()) << factor.name;
      std::vector<double> values(factor.values->size());
      for (double &value : values)
        value = std::strtod(after, &after);
      ASSERT_TRUE(sameBits(values, *factor.values)) << factor.name;
      at = after;
    }
  }
}

TEST_F(ReferenceData, WrittenNetworksReadBackTheSame) {
  for (const auto &[name, instance] : instances_.items()) {
    SCOPED_TRACE(name);
    const Model first = modelWithEvidence(instance);
    Model second = model(source("again.uai", writeUai(first)));
    Diagnostics diagnostics;
    ASSERT_TRUE(readEvidence(source("again.evid", writeEvidence(first)), second, diagnostics));
    ASSERT_EQ(second.variables.size(), first.variables.size());
    for (size_t i = 0; i < first.variables.size(); ++i)
      ASSERT_EQ(second.variables[i].extent, first.variables[i].extent);
    ASSERT_EQ(second.factors.size(), first.factors.size());
    for (size_t i = 0; i < first.factors.size(); ++i) {
      ASSERT_EQ(second.factors[i].scope, first.factors[i].scope);
      ASSERT_TRUE(sameBits(*second.factors[i].values, *first.factors[i].values));
    }
    EXPECT_EQ(writeEvidence(second), writeEvidence(first));
    EXPECT_EQ(writeUai(second), writeUai(first));
  }
}

/// Networks that exist in both formats, with equal tables.
TEST_F(ReferenceData, NetworksInTheInterchangeFormatAreThoseInUaiForm) {
  size_t compared = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder_)) {
    const std::string path = withoutCompressionSuffix(entry.path());
    if (!path.ends_with(".bif"))
      continue;
    SCOPED_TRACE(path);
    std::string other = path.substr(0, path.size() - 4) + ".uai";
    if (!std::filesystem::exists(other))
      other += ".xz";
    if (!std::filesystem::exists(other))
      continue; // some networks are there in one format only
    Diagnostics diagnostics;
    const auto bif = readBif(load(entry.path()), diagnostics);
    ASSERT_TRUE(bif && diagnostics.all().empty()) << renderDiagnostics(diagnostics);
    EXPECT_EQ(writeUai(*bif), writeUai(model(load(other))));
    ++compared;
  }
  EXPECT_GE(compared, 10u);
}

TEST_F(ReferenceData, PublishedMarginalsReadBackTheSame) {
  size_t files = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder_)) {
    if (entry.path().extension() != ".MAR")
      continue;
    SCOPED_TRACE(entry.path());
    ++files;
    Diagnostics diagnostics;
    const auto result = readResult(load(entry.path()), diagnostics);
    ASSERT_TRUE(result) << renderDiagnostics(diagnostics);
    EXPECT_EQ(result->task, UaiTask::Mar);
    for (const std::vector<double> &marginal : result->marginals) {
      double sum = 0;
      for (const double value : marginal)
        sum += value;
      EXPECT_NEAR(sum, 1, 1e-4); // published with six digits, some with fewer
    }
    const auto again = readResult(source("again.MAR", formatResult(*result)), diagnostics);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->marginals, result->marginals);
  }
  EXPECT_GT(files, 0u);
}
