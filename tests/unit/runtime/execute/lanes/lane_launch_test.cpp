#include "runtime/execute/lanes/lane_launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mpf {
namespace {

/// A kernel that reads the columns in the order `order`, codes of `codeBytes` bytes.
LaneKernel kernelOf(std::vector<uint32_t> order, unsigned codeBytes) {
  LaneKernel kernel;
  kernel.codeOrder = std::move(order);
  kernel.codesPerWord = 4 / codeBytes;
  return kernel;
}

/// Every code of a block goes to its bits, for all rests of vectors. Places after the cases of the
/// range observe nothing.
TEST(PackLaneCodes, EveryCodeComesToItsPlace) {
  constexpr uint32_t kUntouched = 0xabababab;
  for (const uint32_t extent : {3u, 300u, 70'000u}) {
    CaseSchema schema;
    for (size_t v = 0; v < 9; ++v)
      schema.observed.push_back({VarId{v}, extent});
    constexpr uint32_t kCases = 150;
    CaseBlock block(schema, kCases + 5);
    block.count = kCases;
    for (size_t c = 0; c < block.columns(); ++c)
      for (uint32_t i = 0; i < kCases; ++i)
        block.setCode(c, i, (7 * i + 31 * static_cast<uint32_t>(c) + i * i) % (extent + 1));
    // Seven of nine columns: the last word of two or four is not full.
    const LaneKernel kernel = kernelOf({8, 0, 3, 1, 7, 2, 4}, block.codeBytes());
    for (const CaseRange range :
         {CaseRange{0, kCases, kCases}, CaseRange{3, 16, 16}, CaseRange{1, 15, 40},
          CaseRange{64, 33, 33}, CaseRange{9, 0, 8}}) {
      const uint64_t pitch = 170;
      std::vector<uint32_t> words(kernel.wordCount() * pitch, kUntouched), expected = words;
      packLaneCodes(kernel, block, range, pitch, words.data());
      const uint32_t bits = 8 * block.codeBytes();
      for (uint64_t w = 0; w < kernel.wordCount(); ++w)
        for (uint32_t i = 0; i < range.room; ++i) {
          uint32_t &word = expected[w * pitch + i] = 0;
          for (uint32_t c = 0; c < kernel.codesPerWord && i < range.count; ++c)
            if (const size_t place = w * kernel.codesPerWord + c; place < kernel.codeOrder.size())
              word |= block.code(kernel.codeOrder[place], range.first + i) << (c * bits);
        }
      EXPECT_EQ(words, expected) << extent << ": " << range.count << " from " << range.first;
    }
  }
}

} // namespace
} // namespace mpf
