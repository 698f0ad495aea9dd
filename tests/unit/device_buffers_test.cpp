// Where a GPU keeps the inputs of a bundle, and the words of packed ones.
#include "dsl/support/error.h"
#include "runtime/execute/bind_input.h"
#include "runtime/execute/gpu/device_buffers.h"
#include "tests/oracle/bundle_builder.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

namespace mpf {
namespace {

constexpr Semiring kSumProduct{Reduce::Sum, Combine::Times};
constexpr Semiring kMaxSum{Reduce::Max, Combine::Plus};

/// r(x) = sum(y) f(x, y) g(y), 3 and 50 states; f is packed.
Bundle sample(ElementType type, Semiring semiring, std::vector<double> f) {
  oracle::BundleBuilder builder(type);
  const VarId x = builder.variable(3), y = builder.variable(50);
  const BufferId fTable = builder.input({x, y}, std::move(f));
  const BufferId g = builder.input({y}, std::vector<double>(50, 2));
  builder.operation(semiring, {fTable, g}, {x});
  Bundle bundle = builder.finish();
  bundle.buffers[fTable.index()].packed = true;
  return bundle;
}

/// Every third entry is one, the others zero.
std::vector<double> thirds(double zero, double one) {
  std::vector<double> values(150, zero);
  for (size_t i = 0; i < values.size(); i += 3)
    values[i] = one;
  return values;
}

struct Bound {
  std::vector<std::byte> entries;
  std::vector<TableState> states;
};

Bound bindAll(const Bundle &bundle) {
  Bound bound{std::vector<std::byte>(bundle.inputArenaBytes),
              std::vector<TableState>(bundle.buffers.size())};
  const std::vector<uint32_t> states(bundle.variables.size(), 0);
  for (const BundleInput &input : bundle.inputs)
    bound.states[input.buffer.index()] =
        bindInput(bundle, input, *bundle.tables[*input.table], states,
                  bound.entries.data() + bundle.buffer(input.buffer).offsetBytes);
  return bound;
}

void expectThirds(const Bundle &bundle) {
  const DeviceBuffers buffers(bundle);
  const Bound bound = bindAll(bundle);
  std::vector<std::byte> packed;
  const auto image = buffers.image(bound.entries, bound.states, packed);
  ASSERT_EQ(image.size(), buffers.inputBytes());
  EXPECT_LT(image.size(), bound.entries.size());
  for (uint64_t i = 0; i < 150; ++i) {
    uint32_t word = 0;
    std::memcpy(&word, image.data() + buffers.offsetBytes(BufferId(size_t{0}), i / 32 * 32),
                sizeof word);
    EXPECT_EQ(word >> i % 32 & 1, i % 3 == 0) << i;
  }
  const BundleBuffer &g = bundle.buffers[1];
  EXPECT_EQ(std::memcmp(image.data() + buffers.offsetBytes(BufferId(size_t{1})),
                        bound.entries.data() + g.offsetBytes,
                        g.sizeElems * elementBytes(bundle.type)),
            0);
}

TEST(DeviceBuffers, KeepsABitOfEveryZeroAndOne) {
  for (const ElementType type :
       {ElementType::F32, ElementType::F64, ElementType::U64, ElementType::U128})
    expectThirds(sample(type, kSumProduct, thirds(0, 1)));
  Bundle logs = sample(ElementType::F64, kSumProduct, thirds(0, 1));
  logs.forcedLog = true;
  expectThirds(logs);
  expectThirds(sample(ElementType::F32, kMaxSum, thirds(-INFINITY, 0)));
  Bundle logInputs =
      sample(ElementType::F64, {Reduce::LogSum, Combine::Plus}, thirds(-INFINITY, 0));
  logInputs.logInputs = true;
  expectThirds(logInputs);
}

TEST(DeviceBuffers, AreTheArenaWhereNothingIsPacked) {
  Bundle bundle = sample(ElementType::F64, kSumProduct, thirds(0, 1));
  bundle.buffers[0].packed = false;
  const DeviceBuffers buffers(bundle);
  const Bound bound = bindAll(bundle);
  std::vector<std::byte> packed;
  EXPECT_EQ(buffers.image(bound.entries, bound.states, packed).data(), bound.entries.data());
  EXPECT_EQ(buffers.inputBytes(), bundle.inputArenaBytes);
  EXPECT_EQ(buffers.offsetBytes(BufferId(size_t{1}), 3), bundle.buffers[1].offsetBytes + 24);
}

TEST(DeviceBuffers, RefuseOtherEntries) {
  std::vector<double> values = thirds(0, 1);
  values[77] = 0.5;
  const Bundle bundle = sample(ElementType::F64, kSumProduct, values);
  const Bound bound = bindAll(bundle);
  std::vector<std::byte> packed;
  try {
    DeviceBuffers(bundle).image(bound.entries, bound.states, packed);
    FAIL() << "0.5 was packed";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_NE(std::string(error.what()).find("entry 77"), std::string::npos) << error.what();
  }
}

} // namespace
} // namespace mpf
