// The kernel for rows of a file in the checker, packed and unchanged. It makes the words that the
// host packs, and refuses the rows that the host refuses, without a fault.
#include "runtime/execute/gpu/lanes/gpu_byte_rows.h"
#include "runtime/execute/lanes/lane_launch.h"
#include "runtime/execute/lanes/sent/sent_rows.h"
#include "tests/simt/launch_program.h"
#include "tests/support/rows_in_memory.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace mpf::simt {
namespace {

struct Turned {
  std::vector<uint32_t> words;
  bool isRefused = false;
};

class TurnedRows : public testing::Test {
protected:
  uint32_t upTo(uint32_t most) { return static_cast<uint32_t>(random_() % most); }

  /// Makes columns of a few states, in any order in the words. Their rows are packed, unless one
  /// column has more than 15 `states`.
  void make(size_t columns, uint32_t states) {
    schema_ = {};
    for (size_t c = 0; c < columns; ++c)
      schema_.observed.push_back({VarId{c}, 1 + upTo(15)});
    schema_.observed[upTo(static_cast<uint32_t>(columns))].extent = states;
    kernel_.codesPerWord = 4;
    kernel_.codeOrder.resize(columns);
    std::iota(kernel_.codeOrder.begin(), kernel_.codeOrder.end(), 0);
    std::shuffle(kernel_.codeOrder.begin(), kernel_.codeOrder.end(), random_);
  }

  CaseBlock drawBlock(uint32_t count) {
    CaseBlock block(schema_, count);
    block.count = count;
    for (size_t c = 0; c < schema_.observed.size(); ++c)
      for (uint32_t i = 0; i < count; ++i)
        block.setCode(c, i, upTo(schema_.observed[c].extent + 1));
    return block;
  }

  Turned turn(const ByteRows &rows, uint32_t count, uint64_t pitch) {
    static const LaunchEntry kKernels[] = {{"mpf_turn_rows", "MpfRowLaunch"}};
    static const std::unique_ptr<Program> program = makeLaunchProgram(rowTurnerSource(), kKernels);
    std::vector<std::byte> bytes(sentBytes(rows, count));
    EXPECT_TRUE(fetchToSend(rows, 0, count, bytes.data()));
    GpuRowForm form = rowFormOf(rows, kernel_);
    std::vector<uint32_t> words(kernel_.wordCount() * pitch, 0xa5a5a5a5), refused = {0};
    GpuRowLaunch launch;
    launch.rowCodes = static_cast<int32_t>(form.rowCodes);
    launch.wordCount = static_cast<int32_t>(kernel_.wordCount());
    launch.pitch = static_cast<int32_t>(pitch);
    launch.count = static_cast<int32_t>(count);
    launch.halves = form.codeBits == 4 ? 1 : 0;
    std::vector<GpuRowLaunch> launches = {launch};
    std::vector<Buffer> buffers = {{"launch", bytesOf(launches), false, true},
                                   {"rows", bytes, false, true},
                                   {"bytes", bytesOf(form.bytes), false, true},
                                   {"words", bytesOf(words)},
                                   {"refused", bytesOf(refused)}};
    Launch shape;
    shape.gridBlocks = (pitch + kRowThreads - 1) / kRowThreads;
    shape.blockThreads = kRowThreads;
    for (size_t p = 0; p < 4; ++p) // pointers in the order of the struct
      shape.pointers.push_back({0, p * sizeof(uint64_t), p + 1});
    const std::vector<Argument> arguments = {Argument::buffer(0)};
    EXPECT_EQ(program->run("test_mpf_turn_rows", shape, buffers, arguments).faultText(), "");
    return {words, refused[0] != 0};
  }

  std::mt19937 random_{11};
  std::vector<std::byte> sent_ = std::vector<std::byte>(1500);
  CaseSchema schema_;
  LaneKernel kernel_;
};

TEST_F(TurnedRows, AreTheWordsThatTheHostPacks) {
  for (const uint32_t states : {15u, 254u})
    for (const size_t columns : {1u, 3u, 4u, 5u, 13u})
      for (const uint32_t count : {1u, 255u, 300u}) {
        make(columns, states);
        const CaseBlock block = drawBlock(count);
        const test::RowsInMemory rows = test::RowsInMemory::of(schema_, block);
        EXPECT_EQ(sentCodeBits(rows), states == 15 ? 4u : 8u);
        const uint64_t pitch = count + upTo(70);
        std::vector<uint32_t> packed(kernel_.wordCount() * pitch);
        packLaneCodes(kernel_, block, {0, count, pitch}, pitch, packed.data());
        const Turned turned = turn(rows, count, pitch);
        EXPECT_EQ(turned.words, packed)
            << columns << " columns, " << count << " cases, " << states << " states";
        EXPECT_FALSE(turned.isRefused);
      }
}

/// The host refuses a byte that does not fit four bits; the kernel refuses others.
TEST_F(TurnedRows, AreRefusedWhereAByteSaysNothing) {
  make(5, 3);
  constexpr uint32_t kCount = 300;
  // The value 127 is set in one column only, so that no rows are packed.
  for (const uint32_t firstNone : {127u, 128u, 255u})
    for (int value = 0; value < 256; ++value) {
      std::vector<RowByte> bytes;
      for (uint32_t c = 0; c < 5; ++c)
        bytes.push_back({c, 3, firstNone == 127 && c != 0 ? 128 : firstNone});
      test::RowsInMemory rows(bytes, std::vector<std::byte>(5 * kCount));
      const uint32_t place = upTo(5);
      rows.at(upTo(kCount), place) = static_cast<std::byte>(value);
      const bool isSent = fetchToSend(rows, 0, kCount, sent_.data());
      EXPECT_EQ(!isSent || turn(rows, kCount, kCount).isRefused,
                bytes[place].refuses(static_cast<uint8_t>(value)))
          << value << ", " << firstNone;
      EXPECT_EQ(isSent, firstNone == 127 || value < 15 || value >= static_cast<int>(firstNone))
          << value << ", " << firstNone;
    }
}

} // namespace
} // namespace mpf::simt
