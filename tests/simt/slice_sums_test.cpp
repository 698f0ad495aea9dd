// Sums of slices in the checker: the kernel does the work of accumulateSlice on the host, slice
// after slice, in every type and semiring. It notes the faults that the host would refuse.
#include "dsl/support/error.h"
#include "runtime/execute/host/accumulate_slice.h"
#include "runtime/execute/host/integer_tables.h"
#include "tests/simt/device_tables.h"
#include "tests/simt/slice_sums_device.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <random>

namespace mpf::simt {
namespace {

struct SumKind {
  const char *name;
  ElementType type = ElementType::F64;
  Semiring semiring = {Reduce::Sum, Combine::Times};
  double zeros = 0.2;
  int32_t spread = 40; ///< spread of the slices' scales
  bool forcedLog = false, logs = false, signedValues = false;
};

const SumKind kSumKinds[] = {
    {"sum"},
    {"sum32", ElementType::F32},
    {"far", ElementType::F64, {Reduce::Sum, Combine::Times}, 0.2, 3000},
    {"far32", ElementType::F32, {Reduce::Sum, Combine::Times}, 0.2, 400},
    {"zeros", ElementType::F64, {Reduce::Sum, Combine::Times}, 0.95},
    {"logs", ElementType::F64, {Reduce::Sum, Combine::Times}, 0.2, 40, false, true},
    {"logs32", ElementType::F32, {Reduce::LogSum, Combine::Plus}, 0.2, 40, false, true},
    {"forcedLog", ElementType::F64, {Reduce::Sum, Combine::Times}, 0.2, 40, true, true},
    {"max", ElementType::F64, {Reduce::Max, Combine::Times}},
    {"maxFar32", ElementType::F32, {Reduce::Max, Combine::Times}, 0.2, 400},
    {"maxLogs", ElementType::F64, {Reduce::Max, Combine::Times}, 0.2, 40, false, true},
    {"min", ElementType::F64, {Reduce::Min, Combine::Times}, 0.0},
    {"minZeros", ElementType::F64, {Reduce::Min, Combine::Times}, 0.9, 5},
    {"minLogs", ElementType::F64, {Reduce::Min, Combine::Times}, 0.3, 40, false, true},
    {"maxPlus", ElementType::F64, {Reduce::Max, Combine::Plus}},
    {"minPlus32", ElementType::F32, {Reduce::Min, Combine::Plus}},
    {"signedSum", ElementType::F64, {Reduce::Sum, Combine::Times}, 0.2, 40, false, false, true},
    {"signedLogs", ElementType::F64, {Reduce::Sum, Combine::Times}, 0.2, 40, false, true, true},
    {"signedLogs32", ElementType::F32, {Reduce::Sum, Combine::Times}, 0.2, 400, false, true, true},
    {"counts", ElementType::U64},
    {"counts128", ElementType::U128},
    {"countsMax", ElementType::U64, {Reduce::Max, Combine::Times}},
    {"countsMin128", ElementType::U128, {Reduce::Min, Combine::Plus}},
};

class SliceSums : public testing::TestWithParam<SumKind> {
protected:
  uint64_t below(uint64_t end) { return random_() % end; }
  double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  /// Returns a bundle with one loop over `slices` states and sums of tables of these sizes.
  Bundle bundleOf(uint32_t slices, const std::vector<uint64_t> &sizes) {
    const SumKind &kind = GetParam();
    Bundle bundle;
    bundle.type = kind.type;
    bundle.forcedLog = kind.forcedLog;
    bundle.signedValues = kind.signedValues;
    bundle.variables.push_back({"v", slices, {}});
    bundle.sliced = {VarId{size_t{0}}};
    bundle.loops = LoopTree({0});
    for (const uint64_t size : sizes) {
      BundleOperation &sum = bundle.operations.emplace_back();
      sum.name = fmt::format("sum{}", bundle.operations.size());
      sum.semiring = kind.semiring;
      sum.loop = 1;
      sum.accumulates = true;
      sum.operands = {{addDeviceBuffer(bundle, "slice", size, false), {}, {}}};
      sum.result = {addDeviceBuffer(bundle, "sum", size, false), {}, {}};
    }
    return bundle;
  }

  /// Adds an operation for each summed table, so that replicas have separate ones.
  static Bundle computed(Bundle bundle) {
    const std::vector<BundleOperation> sums = std::move(bundle.operations);
    bundle.operations.clear();
    for (const BundleOperation &sum : sums) {
      BundleOperation &operation = bundle.operations.emplace_back();
      operation.semiring = sum.semiring;
      operation.loop = 1;
      operation.result = sum.operands[0];
    }
    bundle.operations.insert(bundle.operations.end(), sums.begin(), sums.end());
    return bundle;
  }

  template <class T> void fillReals(T *entries, int8_t *signs, uint64_t elems, TableState &state) {
    const SumKind &kind = GetParam();
    const bool plain = addsPlainValues(kind.semiring);
    state = {};
    const bool isLog = !plain && (kind.forcedLog || (kind.logs && below(3) != 0));
    for (uint64_t i = 0; i < elems; ++i) {
      const bool isZero = unit() < kind.zeros;
      const bool isNegative = (kind.signedValues || plain) && below(3) == 0;
      const double value = std::ldexp(0.5 + 0.5 * unit(), -static_cast<int>(below(20)));
      const double entry = isLog ? std::log2(value) : isNegative ? -value : value;
      entries[i] = static_cast<T>(isZero ? (isLog ? -kDeviceInfinity : 0.0) : entry);
      if (signs != nullptr)
        signs[i] = isNegative && isLog ? -1 : 1;
      if (isZero || plain)
        continue;
      const int32_t exponent =
          isLog ? static_cast<int32_t>(std::floor(entries[i])) : std::ilogb(entries[i]);
      state.minExponent = std::min(state.minExponent, exponent);
      state.maxExponent = std::max(state.maxExponent, exponent);
    }
    if (plain)
      state = {0, 0, 0, 0};
    if (plain || state.allZero())
      return;
    state.form = isLog ? 1 : 0;
    state.scale = static_cast<int32_t>(below(kind.spread)) - kind.spread / 2;
  }

  template <class T> void fillCounts(T *entries, uint64_t elems, TableState &state) {
    T least = static_cast<T>(-1), greatest = 0;
    for (uint64_t i = 0; i < elems; ++i) {
      const T any = static_cast<T>(Uint128{random_()} << 64 | random_());
      entries[i] = below(5) == 0 ? 0 : any >> (8 + below(40)); // sums of a few fit
      greatest = std::max(greatest, entries[i]);
      least = entries[i] == 0 ? least : std::min(least, entries[i]);
    }
    state = integerState(least, greatest);
  }

  void fill(const Bundle &bundle, BufferId id, std::vector<std::byte> &work, TableState &state) {
    const BundleBuffer &buffer = bundle.buffer(id);
    std::byte *const at = work.data() + buffer.offsetBytes;
    auto *const signs =
        bundle.signedValues
            ? reinterpret_cast<int8_t *>(at + buffer.sizeElems * elementBytes(bundle.type))
            : nullptr;
    switch (bundle.type) {
    case ElementType::F32:
      return fillReals(reinterpret_cast<float *>(at), signs, buffer.sizeElems, state);
    case ElementType::F64:
      return fillReals(reinterpret_cast<double *>(at), signs, buffer.sizeElems, state);
    case ElementType::U64:
      return fillCounts(reinterpret_cast<uint64_t *>(at), buffer.sizeElems, state);
    case ElementType::U128:
      return fillCounts(reinterpret_cast<Uint128 *>(at), buffer.sizeElems, state);
    }
  }

  static MutableTable tableOf(const Bundle &bundle, BufferId id, std::vector<std::byte> &work,
                              TableState &state) {
    const BundleBuffer &buffer = bundle.buffer(id);
    std::byte *const at = work.data() + buffer.offsetBytes;
    auto *const signs =
        reinterpret_cast<int8_t *>(at + buffer.sizeElems * elementBytes(bundle.type));
    return {bundle.type, &state, buffer.sizeElems, at, bundle.signedValues ? signs : nullptr};
  }

  void expectSame(const Bundle &bundle, const TableView &found, const TableView &expected) {
    const double tolerance = GetParam().type == ElementType::F32 ? 1e-4 : 1e-10;
    ASSERT_EQ(found.state.form, expected.state.form);
    ASSERT_EQ(found.state.scale, expected.state.scale);
    ASSERT_EQ(found.state.allZero(), expected.state.allZero());
    const bool isLog = expected.isLog();
    if (!isLog) {
      ASSERT_EQ(found.state, expected.state);
    } else if (!expected.state.allZero()) { // logarithms may differ in their last bits
      ASSERT_NEAR(found.state.minExponent, expected.state.minExponent, 1);
      ASSERT_NEAR(found.state.maxExponent, expected.state.maxExponent, 1);
    }
    for (uint64_t i = 0; i < expected.sizeElems; ++i) {
      if (isIntegerType(bundle.type)) {
        ASSERT_TRUE(found.whole(i) == expected.whole(i)) << i;
      } else if (isLog && std::isfinite(expected.entry(i)) && std::isfinite(found.entry(i))) {
        // Values are compared, because few digits remain of terms that nearly cancel.
        const double a = std::exp2(found.entry(i) - expected.state.maxExponent);
        const double b = std::exp2(expected.entry(i) - expected.state.maxExponent);
        ASSERT_NEAR(a * found.sign(i), b * expected.sign(i), tolerance) << i;
      } else if (!isLog || !bundle.signedValues) {
        ASSERT_EQ(found.entry(i), expected.entry(i)) << i;
        ASSERT_EQ(found.sign(i), expected.sign(i)) << i;
      }
    }
  }

  /// Compares values for any scales and forms.
  void expectSameValues(const Bundle &bundle, const TableView &found, const TableView &expected) {
    const double tolerance = GetParam().type == ElementType::F32 ? 1e-4 : 1e-10;
    ASSERT_EQ(found.state.allZero(), expected.state.allZero());
    double greatest = 0; // logarithm
    for (uint64_t i = 0; i < expected.sizeElems; ++i)
      if (!isIntegerType(bundle.type) && !addsPlainValues(GetParam().semiring))
        greatest = std::max(i == 0 ? -kDeviceInfinity : greatest,
                            expected.log2Entry(i) + expected.state.scale);
    for (uint64_t i = 0; i < expected.sizeElems && !expected.state.allZero(); ++i) {
      if (isIntegerType(bundle.type)) {
        ASSERT_TRUE(found.whole(i) == expected.whole(i)) << i;
      } else if (addsPlainValues(GetParam().semiring)) {
        ASSERT_EQ(found.entry(i), expected.entry(i)) << i;
      } else if (!found.isLog() && !expected.isLog()) {
        const int shift = found.state.scale - expected.state.scale;
        ASSERT_EQ(std::ldexp(found.entry(i), shift), expected.entry(i)) << i;
      } else {
        const double a = std::exp2(found.log2Entry(i) + found.state.scale - greatest);
        const double b = std::exp2(expected.log2Entry(i) + expected.state.scale - greatest);
        ASSERT_NEAR(a * found.sign(i), b * expected.sign(i), tolerance) << i;
      }
    }
  }

  std::mt19937_64 random_{11};
};

TEST_P(SliceSums, AreWhatTheHostAddsUp) {
  for (int trial = 0; trial < 6 && !HasFatalFailure(); ++trial) {
    const auto slices = static_cast<uint32_t>(1 + below(6));
    // Tables alone, side by side, and larger than the chunk of a block.
    const std::vector<std::vector<uint64_t>> sizes = {{1}, {5, 1, 300}, {2600}, {1, 1024, 1025},
                                                      {1}, {2, 2100}};
    const ReplicatedBundle program =
        replicateSlices(bundleOf(slices, sizes[static_cast<size_t>(trial)]), {});
    SumsOnDevice sums(program);
    const Bundle &bundle = program.bundle;
    std::vector<std::byte> expectedWork = sums.work;
    std::vector<TableState> expectedStates = sums.states;
    BestSlice best(bundle);
    const auto check = [&](uint32_t slice) {
      for (const BundleOperation &operation : bundle.operations)
        fill(bundle, operation.operands[0].buffer, sums.work,
             sums.states[operation.operands[0].buffer.index()]);
      for (const BundleOperation &operation : bundle.operations) {
        const BufferId from = operation.operands[0].buffer, into = operation.result.buffer;
        const SliceSum how{operation.semiring.reduce, addsPlainValues(operation.semiring),
                           bundle.forcedLog, slice == 0, operation.name};
        // Starts from the device's sum, so that differences do not accumulate.
        expectedStates[into.index()] = sums.states[into.index()];
        std::copy_n(
            sums.work.begin() + static_cast<std::ptrdiff_t>(bundle.buffer(into).offsetBytes),
            bufferBytes(bundle.buffer(into).sizeElems, bundle.type, bundle.signedValues),
            expectedWork.begin() + static_cast<std::ptrdiff_t>(bundle.buffer(into).offsetBytes));
        if (accumulateSlice(how, viewOf(bundle, from, sums.work.data(), sums.states[from.index()]),
                            tableOf(bundle, into, expectedWork, expectedStates[into.index()])))
          best.record(1, {slice}, best);
      }
      sums.device.loops = {slice};
      sums.device.add(sums.group, 0);
      ASSERT_EQ(sums.faults, "");
      for (const BundleOperation &operation : bundle.operations) {
        const BufferId into = operation.result.buffer;
        SCOPED_TRACE(
            fmt::format("trial {} slice {} of {} {}", trial, slice, slices, operation.name));
        expectSame(bundle, viewOf(bundle, into, sums.work.data(), sums.states[into.index()]),
                   viewOf(bundle, into, expectedWork.data(), expectedStates[into.index()]));
      }
      if (bundle.operations.size() == 1) {
        ASSERT_EQ(sums.device.best, best.noted());
      }
    };
    for (uint32_t slice = 0; slice < slices && !HasFatalFailure(); ++slice)
      check(slice);
    EXPECT_EQ(sums.device.noted.lost, GpuSliceFaults().lost);
    EXPECT_EQ(sums.device.noted.beyond, 0u);
  }
}

/// Tests that one launch for the slices of a pass gives the result of single launches. Bits are
/// equal while sums are linear; scales and logarithms are chosen for all slices of a pass.
TEST_P(SliceSums, AddTheSlicesOfAPassInTheirOrder) {
  for (int trial = 0; trial < 8 && !HasFatalFailure(); ++trial) {
    const auto slices = static_cast<uint32_t>(2 + below(9));
    const auto atOnce = static_cast<uint32_t>(2 + below(slices - 1));
    const std::vector<std::vector<uint64_t>> sizes = {{1}, {5, 1, 300}, {2600}, {1, 1025}};
    const ReplicatedBundle program = replicateSlices(
        computed(bundleOf(slices, sizes[static_cast<size_t>(trial % 4)])), {atOnce});
    SumsOnDevice sums(program);
    const Bundle &bundle = program.bundle;
    std::vector<std::byte> expectedWork = sums.work;
    std::vector<TableState> expectedStates = sums.states;
    BestSlice best(bundle);
    for (uint32_t first = 0; first < slices; first += atOnce) {
      for (const uint32_t i : sums.group.operations)
        fill(bundle, bundle.operations[i].operands[0].buffer, sums.work,
             sums.states[bundle.operations[i].operands[0].buffer.index()]);
      for (const uint32_t i : sums.group.operations) {
        const BundleOperation &operation = bundle.operations[i];
        const BufferId from = operation.operands[0].buffer, into = operation.result.buffer;
        const uint32_t slice = first + program.shifts[i][0];
        const SliceSum how{operation.semiring.reduce, addsPlainValues(operation.semiring),
                           bundle.forcedLog, slice == 0, operation.name};
        if (slice < slices &&
            accumulateSlice(how, viewOf(bundle, from, sums.work.data(), sums.states[from.index()]),
                            tableOf(bundle, into, expectedWork, expectedStates[into.index()])))
          best.record(1, {slice}, best);
      }
      sums.device.loops = {first};
      if (trial < 4 || first + atOnce >= slices) {
        sums.device.add(sums.group, 0);
      } else { // includes the step to the next pass
        sums.device.step(sums.group, 0);
        ASSERT_EQ(sums.device.loops, std::vector<uint32_t>{first + atOnce});
      }
      ASSERT_EQ(sums.faults, "");
      SCOPED_TRACE(
          fmt::format("trial {}: {} of {} slices from {} on", trial, atOnce, slices, first));
      for (const BundleOperation &operation : bundle.operations)
        if (const BufferId into = operation.result.buffer; operation.accumulates)
          expectSameValues(bundle,
                           viewOf(bundle, into, sums.work.data(), sums.states[into.index()]),
                           viewOf(bundle, into, expectedWork.data(), expectedStates[into.index()]));
      if (sizes[static_cast<size_t>(trial % 4)].size() == 1) {
        ASSERT_EQ(sums.device.bestNoted(), best.noted());
      }
    }
    EXPECT_EQ(sums.device.noted.lost, GpuSliceFaults().lost);
    EXPECT_EQ(sums.device.noted.beyond, 0u);
  }
}

/// Tests faults in the middle of a run that are no longer visible at its end.
TEST_P(SliceSums, NoteWhatTheHostWouldRefuse) {
  const SumKind &kind = GetParam();
  if (kind.semiring.reduce != Reduce::Sum || kind.semiring.combine != Combine::Times)
    GTEST_SKIP() << "of sums";
  const ReplicatedBundle program = replicateSlices(bundleOf(3, {2, 2}), {});
  const Bundle &bundle = program.bundle;
  const DeviceBuffers buffers(bundle);
  const SliceSumGroup group{1, {0, 1}};
  std::vector<std::byte> inputs(1), work(bundle.workArenaBytes, std::byte{0});
  std::vector<TableState> states(bundle.buffers.size()), initial = states;
  std::vector<uint32_t> finished(2);
  GpuRecords records;
  records.first.assign(3, 0);
  records.units.resize(1);
  std::string faults;
  SliceDevice device(program, {inputs, work, states, initial, finished, records.units},
                     buildSliceTables(program, {buffers, {0, 0}, 0, records}, {1, 1}, {}, {group}),
                     faults);
  const BufferId second = bundle.operations[1].operands[0].buffer;
  for (uint32_t slice = 0; slice < 3; ++slice) {
    std::byte *const at = work.data() + bundle.buffer(second).offsetBytes;
    if (kind.type == ElementType::U64)
      reinterpret_cast<uint64_t *>(at)[1] = slice < 2 ? uint64_t{1} << 63 : 1;
    else if (kind.type == ElementType::U128)
      reinterpret_cast<Uint128 *>(at)[1] = slice < 2 ? Uint128{1} << 127 : 1;
    else // the log of 1, at two scales whose greater one no state holds
      std::fill_n(at, 2 * elementBytes(kind.type), std::byte{0});
    if (isIntegerType(kind.type))
      states[second.index()] = {0, 0, static_cast<int32_t>(integerBits(kind.type)) - 1, 0};
    else
      states[second.index()] = {slice == 0 ? 0 : std::numeric_limits<int32_t>::max() - 1, 5, 5, 1};
    device.loops = {slice};
    device.add(group, 0);
  }
  EXPECT_EQ(faults, "");
  if (isIntegerType(kind.type)) {
    EXPECT_EQ(device.noted.lost, 1);
    EXPECT_EQ(device.noted.beyond, 0u);
  } else {
    EXPECT_EQ(device.noted.lost, GpuSliceFaults().lost);
    EXPECT_EQ(device.noted.beyond, 2 * (uint64_t{std::numeric_limits<int32_t>::max()} + 5));
  }
}

INSTANTIATE_TEST_SUITE_P(All, SliceSums, testing::ValuesIn(kSumKinds),
                         [](const auto &instance) { return std::string(instance.param.name); });

} // namespace
} // namespace mpf::simt
