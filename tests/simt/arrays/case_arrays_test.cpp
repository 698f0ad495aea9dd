// The kernels that pack columns of a host program, in the checker: their words have the codes that
// the numbers mean.
#include "dsl/support/cases/case_block.h"
#include "dsl/support/error.h"
#include "runtime/execute/gpu/lanes/gpu_case_arrays.h"
#include "tests/simt/arrays/drawn_byte.h"
#include "tests/simt/launch_program.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <set>

namespace mpf::simt {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Program &caseProgram() {
  static const LaunchEntry kKernels[] = {{"mpf_pack_cases", "MpfPackLaunch"},
                                         {"mpf_pack_columns", "MpfPackLaunch"},
                                         {"mpf_pack_rows", "MpfPackLaunch"},
                                         {"mpf_pack_wide_rows", "MpfPackLaunch"}};
  static const std::unique_ptr<Program> program = makeLaunchProgram(caseArraysSource(), kKernels);
  return *program;
}

/// Kernels by GpuPackForm::Kind.
constexpr const char *kEntryOf[] = {"test_mpf_pack_cases", "test_mpf_pack_columns",
                                    "test_mpf_pack_rows", "test_mpf_pack_wide_rows"};

/// A number of any type for a code: the state, or one of the marks for "not observed".
template <class Item> Item numberFor(uint32_t code, uint32_t states) {
  if (code < states)
    return static_cast<Item>(code);
  if constexpr (std::is_floating_point_v<Item>)
    return std::numeric_limits<Item>::quiet_NaN();
  return static_cast<Item>(-1);
}

struct Column {
  DeviceColumn given;
  std::vector<std::byte> cells;
};

class PackedArrays : public testing::Test {
protected:
  uint32_t upTo(uint32_t most) { return static_cast<uint32_t>(random_() % most); }

  template <class Item> Column columnOf(const CaseBlock &block, size_t c, DeviceNumber number) {
    Column column;
    const uint32_t gap = 1 + upTo(3);
    column.given = {c, 0, int64_t{gap} * int64_t{sizeof(Item)}, number, sizeof(Item)};
    column.cells.resize(size_t{block.count} * gap * sizeof(Item));
    for (uint32_t i = 0; i < block.count; ++i) {
      const Item item = numberFor<Item>(block.code(c, i), schema_.observed[c].extent);
      std::memcpy(column.cells.data() + size_t{i} * gap * sizeof(Item), &item, sizeof(item));
    }
    return column;
  }

  Column drawColumn(const CaseBlock &block, size_t c) {
    switch (upTo(10)) {
    case 0:
      return columnOf<int8_t>(block, c, DeviceNumber::Signed);
    case 1:
      return columnOf<int16_t>(block, c, DeviceNumber::Signed);
    case 2:
      return columnOf<int32_t>(block, c, DeviceNumber::Signed);
    case 3:
      return columnOf<int64_t>(block, c, DeviceNumber::Signed);
    case 4:
      return columnOf<uint8_t>(block, c, DeviceNumber::Unsigned);
    case 5:
      return columnOf<uint16_t>(block, c, DeviceNumber::Unsigned);
    case 6:
      return columnOf<uint32_t>(block, c, DeviceNumber::Unsigned);
    case 7:
      return columnOf<uint64_t>(block, c, DeviceNumber::Unsigned);
    case 8:
      return columnOf<float>(block, c, DeviceNumber::Float);
    default:
      return columnOf<double>(block, c, DeviceNumber::Float);
    }
  }

  struct Packed {
    std::vector<uint32_t> words;
    std::vector<uint8_t> flags;
    uint64_t wrong = 0;
  };

  /// Packs columns by the kernel for them. `cells`: the buffer of each column, and where its first
  /// cell is; columns of rows share one.
  Packed pack(DeviceCaseArrays arrays, std::vector<Buffer> cells, const std::vector<size_t> &of,
              uint64_t pitch) {
    const auto count = static_cast<uint32_t>(arrays.count);
    constexpr uint64_t kFar = uint64_t{1} << 32; // addresses of buffers, until they are known
    for (size_t c = 0; c < of.size(); ++c)
      arrays.columns[c].cells += kFar * (1 + of[c]);
    const std::vector<GpuCaseColumn> packed = packedColumns(arrays, schema_, kernel_);
    const GpuPackForm form = packFormOf(packed, kernel_);
    kinds_.insert(form.kind);
    std::vector<GpuPackLaunch> launch(1);
    std::vector<PointerPlace> pointers = {{0, 0, 1}, {0, 8, 2}, {0, 16, 3}};
    const auto point = [&](uint64_t &pointer) {
      if (pointer == 0)
        return;
      const auto *const begin = reinterpret_cast<const std::byte *>(launch.data());
      const auto place = reinterpret_cast<const std::byte *>(&pointer) - begin;
      pointers.push_back({0, static_cast<uint64_t>(place), 4 + pointer / kFar - 1});
      pointer %= kFar;
    };
    launch[0].pitch = static_cast<int64_t>(pitch);
    launch[0].count = static_cast<int32_t>(count);
    launch[0].isFirst = launch[0].isLast = 1;
    launch[0].isUnsigned = form.isUnsigned ? 1 : 0;
    const size_t words = kernel_.wordCount();
    launch[0].wordCount = static_cast<int32_t>(words);
    launch[0].columnCount = static_cast<int32_t>(packed.size());
    launch[0].rows = form.rows;
    launch[0].rowBytes = form.rowBytes;
    launch[0].tileRows = form.tileRows;
    launch[0].spanBytes = form.spanBytes;
    launch[0].codesPerWord = static_cast<int32_t>(kernel_.codesPerWord);
    if (form.kind == GpuPackForm::Any || form.kind == GpuPackForm::WideRows) {
      std::ranges::copy(packed, launch[0].columns);
      for (size_t p = 0; p < packed.size(); ++p)
        point(launch[0].columns[p].cells);
    } else {
      std::ranges::copy(byteWordsOf(packed, form, 0, words), launch[0].bytes);
      for (size_t w = 0; w < words; ++w)
        for (uint64_t &column : launch[0].bytes[w].cells)
          point(column);
    }
    point(launch[0].rows);
    Launch shape;
    shape.blockThreads = kCaseThreads;
    shape.sharedBytes = form.sharedBytes();
    Packed result;
    result.words.resize(kernel_.wordCount() * pitch, 0xa5a5a5a5);
    result.flags.resize(count, 7);
    std::vector<uint64_t> counts = {0, 0};
    std::vector<Buffer> buffers = {{"launch", bytesOf(launch), false, true},
                                   {"words", bytesOf(result.words)},
                                   {"flags", bytesOf(result.flags), true},
                                   {"counts", bytesOf(counts)}};
    buffers.insert(buffers.end(), cells.begin(), cells.end());
    shape.gridBlocks = (count + form.cases() - 1) / form.cases();
    shape.pointers = std::move(pointers);
    const std::vector<Argument> arguments = {Argument::buffer(0)};
    EXPECT_EQ(caseProgram().run(kEntryOf[form.kind], shape, buffers, arguments).faultText(), "");
    result.wrong = counts[0];
    return result;
  }

  /// Packs columns of separate buffers.
  Packed pack(std::vector<Column> &columns, uint32_t count, uint64_t pitch) {
    DeviceCaseArrays arrays{.count = count};
    std::vector<Buffer> cells;
    std::vector<size_t> of;
    for (Column &column : columns) {
      of.push_back(cells.size());
      cells.push_back({"cells", column.cells, false, true});
      arrays.columns.push_back(column.given);
    }
    return pack(std::move(arrays), std::move(cells), of, pitch);
  }

  void expectWords(const Packed &packed, const CaseBlock &block, uint64_t pitch) {
    const uint32_t bits = 32 / kernel_.codesPerWord;
    for (size_t place = 0; place < kernel_.codeOrder.size(); ++place)
      for (uint32_t i = 0; i < block.count; ++i) {
        const uint32_t word = packed.words[place / kernel_.codesPerWord * pitch + i];
        const uint32_t code =
            word >> place % kernel_.codesPerWord * bits & (0xffffffffu >> (32 - bits));
        ASSERT_EQ(code, block.code(kernel_.codeOrder[place], i)) << place << ", case " << i;
      }
  }

  /// Draws codes; columns that are not given are not observed.
  CaseBlock drawBlock(uint32_t count, std::vector<char> &isGiven) {
    CaseBlock block(schema_, count);
    block.count = count;
    isGiven.assign(schema_.observed.size(), 1);
    for (size_t c = 0; c < isGiven.size(); ++c) {
      isGiven[c] = c == 0 || upTo(4) != 0 ? 1 : 0;
      const uint32_t states = schema_.observed[c].extent;
      for (uint32_t i = 0; i < count; ++i)
        block.setCode(c, i, isGiven[c] != 0 ? upTo(states + 1) : states);
    }
    return block;
  }

  void make(size_t columns, uint32_t most, uint32_t codesPerWord) {
    schema_ = {};
    for (size_t c = 0; c < columns; ++c)
      schema_.observed.push_back({VarId{c}, 1 + upTo(most)});
    schema_.observed[0].extent = most;
    kernel_.codesPerWord = codesPerWord;
    kernel_.codeOrder.resize(columns);
    std::iota(kernel_.codeOrder.begin(), kernel_.codeOrder.end(), 0);
    std::shuffle(kernel_.codeOrder.begin(), kernel_.codeOrder.end(), random_);
  }

  std::mt19937 random_{5};
  CaseSchema schema_;
  LaneKernel kernel_;
  std::set<int> kinds_; ///< forms that were packed
};

TEST_F(PackedArrays, AreTheWordsThatTheHostPacks) {
  struct Shape {
    uint32_t states, codesPerWord;
  };
  for (const Shape shape : {Shape{120, 4}, Shape{126, 2}, Shape{127, 1}})
    for (const size_t columns : {1u, 4u, 7u, 21u}) {
      make(columns, shape.states, shape.codesPerWord);
      const uint32_t count = 250 + upTo(20);
      std::vector<char> isGiven;
      const CaseBlock block = drawBlock(count, isGiven);
      std::vector<Column> given;
      for (size_t c = 0; c < columns; ++c)
        if (isGiven[c] != 0)
          given.push_back(drawColumn(block, c));
      const uint64_t pitch = 4 * (count / 4 + 1 + upTo(20));
      const Packed packed = pack(given, count, pitch);
      EXPECT_EQ(packed.wrong, 0u);
      expectWords(packed, block, pitch);
      EXPECT_EQ(packed.flags, std::vector<uint8_t>(count, 0));
    }
}

/// Bytes in rows and in columns have kernels of their own. Some bytes are wrong; their cases are
/// flagged, and observe nothing there.
TEST_F(PackedArrays, OfBytesAreTheSameWords) {
  for (const bool isUnsigned : {false, true})
    for (const bool areRows : {false, true})
      for (const size_t columns : {1u, 2u, 5u, 16u, 37u}) {
        make(columns, 127, 4);
        const uint32_t count = 500 + upTo(600);
        std::vector<char> isGiven;
        CaseBlock block = drawBlock(count, isGiven);
        const size_t lead = areRows ? upTo(5) : 0;
        const size_t rowBytes = lead + columns + 1 + upTo(3), skipped = areRows ? upTo(16) : 0;
        const size_t column = (count + 3) / 4 * 4;
        const auto lastGiven = static_cast<size_t>(
            isGiven.rend() - std::ranges::find(isGiven.rbegin(), isGiven.rend(), 1));
        // Nothing lies behind the last number that is used.
        std::vector<std::byte> bytes(areRows ? skipped + (count - 1) * rowBytes + lastGiven
                                             : columns * column);
        std::vector<char> isWrong(count, 0);
        DeviceCaseArrays arrays{.count = count};
        for (size_t c = 0; c < columns; ++c) {
          const uint32_t states = schema_.observed[c].extent;
          if (isGiven[c] == 0) {
            arrays.findings.push_back({c, states});
            continue;
          }
          const size_t first = areRows ? skipped + c : c * column, step = areRows ? rowBytes : 1;
          arrays.columns.push_back({c, first, static_cast<int64_t>(step),
                                    isUnsigned ? DeviceNumber::Unsigned : DeviceNumber::Signed, 1});
          for (uint32_t i = 0; i < count; ++i) {
            const DrawnByte drawn = drawByte(random_, block.code(c, i), states, isUnsigned, 500);
            if (drawn.isWrong) {
              block.setCode(c, i, states);
              isWrong[i] = 1;
            }
            bytes[first + i * step] = std::byte{drawn.value};
          }
        }
        const std::vector<size_t> of(arrays.columns.size(), 0);
        const uint64_t pitch = column + 4 * upTo(9);
        const Packed packed = pack(arrays, {{"cells", bytes, false, true}}, of, pitch);
        expectWords(packed, block, pitch);
        for (uint32_t i = 0; i < count; ++i)
          ASSERT_EQ(packed.flags[i], isWrong[i]) << i;
        EXPECT_EQ(packed.wrong, static_cast<uint64_t>(std::ranges::count(isWrong, 1)));
      }
  EXPECT_TRUE(kinds_.contains(GpuPackForm::Columns) && kinds_.contains(GpuPackForm::Rows));
}

/// Numbers of any types, mixed or alike, in rows with gaps. The words are those of the same cells
/// in columns of their own, wrong ones among them.
TEST_F(PackedArrays, OfRowsAreTheWordsOfTheirColumns) {
  for (const uint32_t rowsOf : {0u, 1u, 2u})
    for (const size_t columns : {1u, 3u, 9u, 37u}) {
      make(columns, 120, columns == 9 ? 2 : 4);
      const uint32_t count = 100 + upTo(300);
      std::vector<char> isGiven;
      const CaseBlock block = drawBlock(count, isGiven);
      std::vector<Column> apart;
      DeviceCaseArrays arrays{.count = count};
      const size_t skipped = 8 * upTo(3);
      size_t end = skipped + 8 * upTo(2); // each number lies at a multiple of its size
      for (size_t c = 0; c < columns; ++c) {
        if (isGiven[c] == 0)
          continue;
        apart.push_back(rowsOf == 0   ? drawColumn(block, c)
                        : rowsOf == 1 ? columnOf<float>(block, c, DeviceNumber::Float)
                                      : columnOf<int64_t>(block, c, DeviceNumber::Signed));
        const size_t item = apart.back().given.itemBytes;
        arrays.columns.push_back(apart.back().given);
        arrays.columns.back().cells = end = (end + item - 1) / item * item;
        end += item;
      }
      const size_t rowBytes = (end - skipped + 7) / 8 * 8;
      std::vector<std::byte> rows((count - 1) * rowBytes + end);
      for (size_t c = 0; c < apart.size(); ++c) {
        DeviceColumn &given = arrays.columns[c];
        given.strideBytes = static_cast<int64_t>(rowBytes);
        for (uint32_t i = 0; i < count; ++i) {
          std::byte *const cell =
              apart[c].cells.data() + static_cast<size_t>(i * apart[c].given.strideBytes);
          if (given.number == DeviceNumber::Signed && given.itemBytes > 1 && upTo(200) == 0)
            cell[1] = std::byte{77};
          std::memcpy(rows.data() + given.cells + i * rowBytes, cell, given.itemBytes);
        }
      }
      const uint64_t pitch = 4 * (count / 4 + 1);
      const Packed expected = pack(apart, count, pitch);
      const std::vector<size_t> of(arrays.columns.size(), 0);
      const Packed packed = pack(arrays, {{"cells", rows, false, true}}, of, pitch);
      for (size_t w = 0; w < packed.words.size(); ++w)
        if (w % pitch < count) { // words behind the cases are not read
          ASSERT_EQ(packed.words[w], expected.words[w]) << w;
        }
      EXPECT_EQ(packed.flags, expected.flags);
      EXPECT_EQ(packed.wrong, expected.wrong);
    }
  EXPECT_TRUE(kinds_.contains(GpuPackForm::Any) && kinds_.contains(GpuPackForm::WideRows));
}

TEST_F(PackedArrays, FlagNumbersThatAreNoState) {
  make(1, 3, 4);
  struct Cell {
    double number;
    uint32_t code; ///< 4: wrong
  };
  const std::vector<Cell> cells = {{0, 0},
                                   {2, 2},
                                   {3, 4},
                                   {-1, 3},
                                   {-7, 3},
                                   {1.5, 4},
                                   {-0.5, 4},
                                   {kNone, 3},
                                   {1e30, 4},
                                   {-1e30, 3},
                                   {2.9999, 4},
                                   {std::numeric_limits<double>::infinity(), 4},
                                   {-std::numeric_limits<double>::infinity(), 4}};
  std::vector<double> numbers;
  for (const Cell &cell : cells)
    numbers.push_back(cell.number);
  const auto count = static_cast<uint32_t>(numbers.size());
  Column column{{0, 0, sizeof(double), DeviceNumber::Float, sizeof(double)}, {}};
  column.cells.resize(count * sizeof(double));
  std::memcpy(column.cells.data(), numbers.data(), column.cells.size());
  std::vector<Column> columns = {column};
  const Packed packed = pack(columns, count, (count + 3) / 4 * 4);
  uint64_t wrong = 0;
  for (uint32_t i = 0; i < count; ++i) {
    wrong += cells[i].code == 4 ? 1 : 0;
    EXPECT_EQ(packed.flags[i], cells[i].code == 4 ? 1 : 0) << numbers[i];
    EXPECT_EQ(packed.words[i], std::min(cells[i].code, 3u)) << numbers[i];
  }
  EXPECT_EQ(packed.wrong, wrong);
}

TEST_F(PackedArrays, AreRefusedWhereTheyCannotBeRead) {
  make(2, 3, 4);
  const auto refused = [&](const DeviceCaseArrays &arrays) {
    EXPECT_THROW(packedColumns(arrays, schema_, kernel_), Error);
  };
  DeviceCaseArrays arrays;
  arrays.count = 1;
  arrays.columns = {{2, 64, 1, DeviceNumber::Signed, 1}};
  refused(arrays);
  arrays.columns = {{0, 64, 1, DeviceNumber::Signed, 1}, {0, 64, 1, DeviceNumber::Signed, 1}};
  refused(arrays);
  arrays.columns = {{0, 0, 1, DeviceNumber::Signed, 1}};
  refused(arrays);
  arrays.columns = {{0, 66, 4, DeviceNumber::Signed, 4}};
  refused(arrays);
  arrays.columns = {{0, 64, 2, DeviceNumber::Float, 2}};
  refused(arrays);
  arrays.columns = {};
  arrays.findings = {{0, schema_.observed[0].extent + 1}};
  refused(arrays);
}

} // namespace
} // namespace mpf::simt
