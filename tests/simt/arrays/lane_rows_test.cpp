// Kernels of lanes that read rows of bytes, in the checker: they answer as they do from words of
// codes, bit by bit, and write the logarithms of their results.
#include "codegen/bundle/entry_type_text.h"
#include "codegen/emit/lane_kernel_choice.h"
#include "codegen/pipeline/pipeline.h"
#include "dsl/support/error.h"
#include "runtime/execute/gpu/lanes/gpu_case_arrays.h"
#include "runtime/execute/gpu/lanes/gpu_lane_rows.h"
#include "runtime/simt/lanes/check_lanes.h"
#include "tests/oracle/models/random_cases.h"
#include "tests/oracle/models/random_models.h"
#include "tests/simt/arrays/drawn_byte.h"
#include "tests/simt/hand_lanes.h"
#include "tests/simt/launch_program.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

template <class T> class LaneRows : public testing::Test {
protected:
  static constexpr ElementType kType = kEntryType<T>;
  static constexpr uint32_t kBlocks = 2;

  uint32_t upTo(uint32_t most) { return static_cast<uint32_t>(random_() % most); }

  /// Outputs of a launch on rows.
  struct Written {
    std::vector<uint8_t> flags;
    std::vector<uint64_t> counts = {0, 0};
    std::vector<double> logs;
  };

  /// The cases of a block as rows of bytes. Some columns are given as one code for all cases.
  struct Rows {
    std::vector<std::byte> bytes;
    DeviceCaseArrays arrays;
    std::vector<char> isWrong; ///< cases with a byte that is no state
  };

  /// Returns the rows of `block`. Makes some bytes wrong; the block does not observe them then.
  Rows rowsOf(const LaneProgram &program, CaseBlock &block, bool isUnsigned) {
    const size_t columns = program.schema.observed.size();
    const size_t before = upTo(40);
    Rows rows;
    rows.arrays.count = block.count;
    rows.isWrong.resize(block.count);
    size_t last = 0, given = columns;
    for (size_t c = 0; c < columns; ++c) {
      const uint32_t states = program.schema.observed[c].extent;
      // Rows are copied whole where at least half of their bytes are read.
      if (c != 0 && 2 * given >= columns + 2 && upTo(4) == 0) {
        const uint32_t code = upTo(states + 1);
        --given;
        rows.arrays.findings.push_back({c, code});
        for (uint32_t i = 0; i < block.count; ++i)
          block.setCode(c, i, code);
        continue;
      }
      last = c;
      rows.arrays.columns.push_back(
          {c, before + c, 0, isUnsigned ? DeviceNumber::Unsigned : DeviceNumber::Signed, 1});
    }
    const size_t rowBytes =
        std::max<size_t>(2, columns + upTo(static_cast<uint32_t>(2 * given - columns + 1)));
    for (DeviceColumn &column : rows.arrays.columns)
      column.strideBytes = static_cast<int64_t>(rowBytes);
    // Nothing lies behind the last byte that is used.
    rows.bytes.resize(before + (block.count - 1) * rowBytes + last + 1);
    for (const DeviceColumn &column : rows.arrays.columns)
      for (uint32_t i = 0; i < block.count; ++i) {
        const uint32_t states = program.schema.observed[column.column].extent;
        const DrawnByte drawn =
            drawByte(random_, block.code(column.column, i), states, isUnsigned, 300);
        if (drawn.isWrong) {
          block.setCode(column.column, i, states);
          rows.isWrong[i] = 1;
        }
        rows.bytes[column.cells + i * rowBytes] = std::byte{drawn.value};
      }
    return rows;
  }

  /// Runs the kernel on rows; `memory` gets its results. `exponent`: set if it writes logarithms.
  Written runRows(const LaneProgram &program, const LaneKernel &kernel, Rows &rows,
                  LaneMemory<T> &memory, const double *exponent) {
    constexpr uint64_t kFar = uint64_t{1} << 32; // the address of the rows, until it is known
    DeviceCaseArrays arrays = rows.arrays;
    for (DeviceColumn &column : arrays.columns)
      column.cells += kFar;
    const std::vector<GpuCaseColumn> packed = packedColumns(arrays, program.schema, kernel);
    const GpuPackForm form = packFormOf(packed, kernel);
    EXPECT_EQ(form.kind, GpuPackForm::Rows);
    std::vector<GpuLaneRows> source = {laneRowsOf(packed, form, kernel)};
    source[0].rows -= kFar;
    Written written{std::vector<uint8_t>(memory.count, 7)};
    constexpr int64_t kLogStride = 3;
    written.logs.resize(memory.count * kLogStride, -7);
    source[0].logStrideElems = kLogStride;
    source[0].exponent = exponent == nullptr ? 0 : *exponent;
    std::vector<T> scratch(1);
    std::vector<Buffer> buffers = {{"source", bytesOf(source), false, true},
                                   {"rows", rows.bytes, false, true},
                                   {"flags", bytesOf(written.flags), true},
                                   {"counts", bytesOf(written.counts)},
                                   {"logs", bytesOf(written.logs)},
                                   {"weights", bytesOf(memory.weights), false, true},
                                   {"image", bytesOf(memory.image), false, true},
                                   {"results", bytesOf(memory.results)},
                                   {"exponents", bytesOf(memory.exponents)},
                                   {"states", bytesOf(memory.states)},
                                   {"scratch", bytesOf(scratch)}};
    Launch launch;
    launch.gridBlocks = kBlocks;
    launch.blockThreads = kernel.blockThreads;
    launch.sharedBytes = laneRowsShared(kernel, source[0].tileBytes);
    launch.pointers = {{0, offsetof(GpuLaneRows, rows), 1},
                       {0, offsetof(GpuLaneRows, flags), 2},
                       {0, offsetof(GpuLaneRows, counts), 3}};
    if (exponent != nullptr)
      launch.pointers.push_back({0, offsetof(GpuLaneRows, logs), 4});
    const std::vector<Argument> arguments = {Argument::buffer(0),
                                             Argument::buffer(5),
                                             Argument::number(static_cast<int>(memory.pitch)),
                                             Argument::number(static_cast<int>(memory.count)),
                                             Argument::buffer(6),
                                             Argument::buffer(7),
                                             Argument::buffer(8),
                                             Argument::buffer(9),
                                             Argument::buffer(10)};
    EXPECT_EQ(compiled_->run("test_rows", launch, buffers, arguments).faultText(), "");
    return written;
  }

  /// Compiles the kernel that reads rows, with an entry that gets their struct through a pointer.
  void compileRows(const LaneKernel &kernel) {
    const std::string type = std::string(entryTypeText(kType));
    const std::string source =
        laneRowsSource(kernel, 1) +
        fmt::format("\nextern \"C\" __global__ void test_rows(const MpfLaneRows *source, const {0} "
                    "*weights, int pitch, int count, const {0} *image, {0} *results, int "
                    "*exponents, unsigned *states, {0} *scratch) {{\n  {1}(*source, weights, "
                    "pitch, count, image, results, exponents, states, scratch);\n}}\n",
                    type, laneRowsName(kernel));
    const std::string pointer = type + " *", constant = "const " + pointer;
    compiled_ = std::make_unique<Program>(
        source, std::vector<Program::Entry>{{"test_rows",
                                             {"const MpfLaneRows *", constant, "int", "int",
                                              constant, pointer, "int *", "unsigned *", pointer}}});
  }

  void check(const LaneProgram &program) {
    const CommonTables common(program);
    const LinearPlan plan = planLinear(program, common, kType);
    if (!plan.possible)
      return;
    const std::optional<LaneKernel> kernel = emitLanes(program, common, plan, kType);
    ASSERT_TRUE(kernel && mayReadRows(*kernel));
    compileRows(*kernel);
    const auto words = compileLanes(kernel->source, kernel->name, kType);
    for (const bool isUnsigned : {false, true}) {
      const uint32_t count = kBlocks * kernel->blockCases + 1 + upTo(2 * kernel->blockCases);
      CaseBlock block = randomCases(program, count, random_());
      Rows rows = rowsOf(program, block, isUnsigned);
      LaneMemory<T> expected(program, common, plan, *kernel, block);
      LaneMemory<T> found(program, common, plan, *kernel, block);
      ASSERT_EQ(runLanes(*words, *kernel, expected).faultText(), "");
      const Written written = runRows(program, *kernel, rows, found, nullptr);
      const auto wrong = static_cast<uint64_t>(std::ranges::count(rows.isWrong, 1));
      for (uint32_t i = 0; i < count; ++i)
        ASSERT_EQ(written.flags[i], rows.isWrong[i]) << i;
      EXPECT_EQ(written.counts[0], wrong);
      EXPECT_EQ(std::memcmp(found.results.data(), expected.results.data(),
                            found.results.size() * sizeof(T)),
                0);
      EXPECT_EQ(found.exponents, expected.exponents);
      EXPECT_EQ(found.states, expected.states);
      wrong_ += wrong;
      if (kernel->resultElems == 1)
        checkLogs(program, *kernel, rows, expected);
    }
    ++programs_;
  }

  void checkLogs(const LaneProgram &program, const LaneKernel &kernel, Rows &rows,
                 LaneMemory<T> &expected) {
    const double exponent = -1234;
    LaneMemory<T> none = expected;
    std::ranges::fill(none.results, T{5});
    const Written written = runRows(program, kernel, rows, none, &exponent);
    EXPECT_EQ(std::ranges::count(none.results, T{5}), std::ssize(none.results));
    uint64_t lost = 0;
    for (uint32_t i = 0; i < expected.count; ++i) {
      const double result = expected.results[i], log = written.logs[3 * i];
      const bool isLost = !std::isfinite(result);
      lost += isLost && rows.isWrong[i] == 0 ? 1 : 0;
      if (isLost || rows.isWrong[i] != 0)
        ASSERT_TRUE(std::isnan(log)) << i;
      else if (result == 0)
        ASSERT_EQ(log, -HUGE_VAL) << i;
      else
        ASSERT_NEAR(log, std::log(result) + exponent * std::log(2.0), 1e-12 * std::abs(log)) << i;
    }
    EXPECT_EQ(written.counts[1], lost);
    ++logs_;
  }

  std::mt19937_64 random_{9};
  std::unique_ptr<Program> compiled_;
  size_t programs_ = 0, logs_ = 0;
  uint64_t wrong_ = 0;
};

using EntryTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(LaneRows, EntryTypes);

TYPED_TEST(LaneRows, AreAnsweredAsWords) {
  oracle::RandomModelOptions models;
  for (size_t i = 0; this->programs_ < static_cast<size_t>(trials(5)) && i < 200; ++i) {
    const Model model = oracle::randomModel(this->random_, models);
    constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Marginals, QueryKind::Mpe};
    const Query query = oracle::randomQuery(this->random_, model, kKinds[i % 3]);
    SCOPED_TRACE(fmt::format("model {}, {}", i, query.name));
    const CaseSchema schema = oracle::randomSchema(this->random_, model, query);
    if (schema.observed.size() < 2)
      continue;
    PipelineOptions options;
    options.plan.type = TestFixture::kType;
    options.laneDevice = DeviceKind::Gpu;
    Diagnostics diagnostics;
    try {
      this->check(Pipeline(options).planLanes(model, query, schema, diagnostics).program);
    } catch (const Error &error) {
      ASSERT_EQ(error.kind(), ErrorKind::Unsupported) << error.what();
    }
    if (this->HasFatalFailure())
      return;
  }
  EXPECT_GE(this->programs_, static_cast<size_t>(trials(5)));
  EXPECT_GT(this->logs_, 0u);
  EXPECT_GT(this->wrong_, 0u);
}

/// A list shorter than a tile, and lists that end within the second tile, have no neighbours to
/// fill the first and last 16 bytes of a copy.
TYPED_TEST(LaneRows, MayBeFew) {
  LaneProgram program = observedPair();
  program.type = TestFixture::kType;
  const CommonTables common(program);
  const LinearPlan plan = planLinear(program, common, program.type);
  const auto kernel = emitLanes(program, common, plan, program.type);
  ASSERT_TRUE(kernel);
  this->compileRows(*kernel);
  const auto words = compileLanes(kernel->source, kernel->name, program.type);
  for (const uint32_t count : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 97u}) {
    CaseBlock block = randomCases(program, count, count);
    auto rows = this->rowsOf(program, block, count % 2 == 0);
    LaneMemory<TypeParam> expected(program, common, plan, *kernel, block);
    LaneMemory<TypeParam> found(program, common, plan, *kernel, block);
    ASSERT_EQ(runLanes(*words, *kernel, expected).faultText(), "");
    this->runRows(program, *kernel, rows, found, nullptr);
    EXPECT_EQ(found.results, expected.results) << count;
  }
}

} // namespace
} // namespace mpf::simt
