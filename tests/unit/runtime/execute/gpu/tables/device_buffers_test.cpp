// The places of a bundle's inputs in GPU memory, and the words of packed inputs.
#include "dsl/support/error.h"
#include "runtime/execute/gpu/tables/device_buffers.h"
#include "runtime/execute/host/bind_input.h"
#include "tests/oracle/bundle_builder.h"

#include <algorithm>
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
  for (const BundleInput &input : bundle.inputs)
    bound.states[input.buffer.index()] =
        bindInput(bundle, input, *bundle.tables[*input.table], bundle.evidence,
                  bound.entries.data() + bundle.buffer(input.buffer).offsetBytes);
  return bound;
}

std::vector<std::byte> packedImage(const DeviceBuffers &buffers, const Bound &bound) {
  std::vector<std::byte> image(buffers.inputBytes());
  buffers.pack(bound.entries, bound.states, {}, image);
  return image;
}

void expectThirds(const Bundle &bundle) {
  const DeviceBuffers buffers(bundle);
  const Bound bound = bindAll(bundle);
  const std::vector<std::byte> image = packedImage(buffers, bound);
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
  EXPECT_EQ(buffers.rangeOf(BufferId(size_t{1})),
            (CopyRange{bundle.buffers[1].offsetBytes, 50 * sizeof(double)}));
  EXPECT_EQ(buffers.inputBytes(), bundle.inputArenaBytes);
  EXPECT_EQ(buffers.offsetBytes(BufferId(size_t{1}), 3), bundle.buffers[1].offsetBytes + 24);
}

TEST(DeviceBuffers, PackAgainWhatChanged) {
  const Bundle bundle = sample(ElementType::F64, kSumProduct, thirds(0, 1));
  const DeviceBuffers buffers(bundle);
  Bound bound = bindAll(bundle);
  std::vector<std::byte> image = packedImage(buffers, bound);
  const std::vector<std::byte> before = image;
  std::fill(bound.entries.begin(), bound.entries.end(), std::byte{0}); // both inputs
  buffers.pack(bound.entries, bound.states, std::vector<char>{0, 1, 0}, image);
  const uint64_t f = buffers.offsetBytes(BufferId(size_t{0})),
                 g = buffers.offsetBytes(BufferId(size_t{1}));
  EXPECT_EQ(std::memcmp(&image[f], &before[f], 20), 0);
  EXPECT_NE(std::memcmp(&image[g], &before[g], 20), 0);
  buffers.pack(bound.entries, bound.states, std::vector<char>{1, 0, 0}, image);
  EXPECT_NE(std::memcmp(&image[f], &before[f], 20), 0);
}

TEST(DeviceBuffers, SlicesStartWithAWord) {
  const Bundle bundle = sample(ElementType::F64, kSumProduct, thirds(0, 1));
  const DeviceBuffers buffers(bundle);
  const BufferId f(size_t{0}), g(size_t{1});
  EXPECT_EQ(buffers.offsetBytes(f, 64), buffers.offsetBytes(f) + 8);
  EXPECT_EQ(buffers.offsetBytes(g, 5), buffers.offsetBytes(g) + 40);
  EXPECT_THROW(buffers.offsetBytes(f, 50), Error);
}

TEST(DeviceBuffers, TakeNoSignsForBits) {
  std::vector<double> all(150, 0); // zeros: stored in linear form for any arithmetic
  Bundle bundle = sample(ElementType::F64, kSumProduct, all);
  bundle.forcedLog = bundle.signedValues = true;
  for (size_t i = 1; i < bundle.buffers.size(); ++i)
    bundle.buffers[i].offsetBytes += 4096; // room for the signs
  bundle.inputArenaBytes += 8192;
  const DeviceBuffers buffers(bundle);
  const Bound bound = bindAll(bundle);
  const std::vector<std::byte> image = packedImage(buffers, bound);
  const uint64_t f = buffers.offsetBytes(BufferId(size_t{0}));
  EXPECT_EQ(std::count(image.begin() + f, image.begin() + f + 20, std::byte{0}), 20);
  EXPECT_LT(buffers.inputBytes(), 800u); // bits, 50 numbers and their signs; 1350 as entries
}

TEST(DeviceBuffers, RefuseOtherEntries) {
  std::vector<double> values = thirds(0, 1);
  values[77] = 0.5;
  const Bundle bundle = sample(ElementType::F64, kSumProduct, values);
  const Bound bound = bindAll(bundle);
  try {
    packedImage(DeviceBuffers(bundle), bound);
    FAIL() << "0.5 was packed";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_NE(std::string(error.what()).find("entry 77"), std::string::npos) << error.what();
  }
}

} // namespace
} // namespace mpf
