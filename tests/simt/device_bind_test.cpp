// Inputs from device memory, in the checker: the kernels bind them as bindInput does on the host,
// with equal entries and states, without a fault.
#include "codegen/bundle/table_map.h"
#include "dsl/support/error.h"
#include "runtime/execute/host/bind_input.h"
#include "tests/simt/device_tables.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace mpf::simt {
namespace {

/// Returns the values, rounded to the type, as bytes.
std::vector<std::byte> roundedTo(const std::vector<double> &values, ElementType type) {
  std::vector<std::byte> bytes;
  for (const double value : values) {
    const auto narrow = static_cast<float>(value);
    const auto *from = type == ElementType::F32 ? reinterpret_cast<const std::byte *>(&narrow)
                                                : reinterpret_cast<const std::byte *>(&value);
    bytes.insert(bytes.end(), from, from + elementBytes(type));
  }
  return bytes;
}

/// The results of binding inputs.
struct Bound {
  std::vector<std::vector<double>> values;
  std::vector<std::byte> arena;
  std::vector<TableState> states;
  uint32_t refused = 0;
};

class DeviceBinding : public DeviceTables {
protected:
  void addInputs(Bundle &bundle, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      BundleInput input;
      input.factor = fmt::format("f{}", i);
      input.scope = someVariables(true, bundle);
      for (const VarId id : input.scope)
        if (!bundle.evidence.observes(id) &&
            (bundle.variables[id.index()].extent > 1 || below(2) == 0))
          input.layout.push_back(id);
      std::shuffle(input.layout.begin(), input.layout.end(), random_);
      input.buffer = addDeviceBuffer(bundle, input.factor, entriesOf(bundle, input.layout), true);
      bundle.inputs.push_back(std::move(input));
    }
  }

  Bound bind(const Bundle &bundle, std::vector<std::vector<double>> values, int32_t sumExponent,
             int32_t greatestExponent) {
    const DeviceBuffers places(bundle);
    std::vector<uint32_t> inputs(bundle.inputs.size());
    std::iota(inputs.begin(), inputs.end(), 0);
    GpuMapTable<GpuBindTask> table = buildBindTable(bundle, places, inputs, {0, 0});
    std::vector<GpuBindLaunch> launches(1);
    Bound bound{std::move(values), std::vector<std::byte>(bundle.inputArenaBytes, std::byte{0xff}),
                std::vector<TableState>(bundle.buffers.size(), TableState{7, 7, 7, 7})};
    std::vector<uint64_t> ranges(inputs.size(), 0);
    std::vector<uint32_t> refused(1, 0);
    launches[0].kind = bindKind(bundle);
    launches[0].exponent = sumExponent;
    launches[0].greatest = greatestExponent;
    // Buffers have the order of the structs' pointers.
    enum : size_t { kLaunch, kChunks, kTasks, kDigits, kStates, kSpans, kRefused, kArena, kFirst };
    std::vector<PointerPlace> pointers;
    for (size_t p = 0; p < 6; ++p)
      pointers.push_back({kLaunch, p * sizeof(uint64_t), kChunks + p});
    std::vector<std::vector<std::byte>> given;
    for (const std::vector<double> &each : bound.values)
      given.push_back(roundedTo(each, bundle.type));
    for (size_t i = 0; i < inputs.size(); ++i) {
      launches[0].sources[i].baseElems =
          mapOfInput(bundle, bundle.inputs[i], bundle.evidence).baseElems;
      pointers.push_back(
          {kLaunch, offsetof(GpuBindLaunch, sources) + i * sizeof(GpuBindSource), kFirst + i});
      pointers.push_back({kTasks, i * sizeof(GpuBindTask), kArena});
      if (bundle.signedValues)
        pointers.push_back({kTasks, i * sizeof(GpuBindTask) + sizeof(uint64_t), kArena});
    }
    std::vector<Buffer> buffers = {{"launch", mutableBytes(launches)},
                                   {"chunks", mutableBytes(table.chunks), false, true},
                                   {"tasks", mutableBytes(table.tasks), false, true},
                                   {"digits", mutableBytes(table.digits), false, true},
                                   {"states", mutableBytes(bound.states)},
                                   {"ranges", mutableBytes(ranges)},
                                   {"refused", mutableBytes(refused)},
                                   {"arena", bound.arena, true}};
    for (size_t i = 0; i < given.size(); ++i)
      buffers.push_back({bundle.inputs[i].factor, given[i], false, true});
    for (const char *name : {"mpf_bind_range", "mpf_bind_entries"}) {
      // Copies, because the checker fills in addresses.
      std::vector<GpuBindLaunch> fresh = launches;
      std::vector<GpuBindTask> tasks = table.tasks;
      buffers[kLaunch].contents = mutableBytes(fresh);
      buffers[kTasks].contents = mutableBytes(tasks);
      launch(name, table.chunks.size(), buffers, pointers);
    }
    bound.refused = refused[0];
    return bound;
  }

  static void expectSame(const Bundle &bundle, const Bound &bound, int32_t sumExponent) {
    for (size_t i = 0; i < bundle.inputs.size(); ++i) {
      const BundleInput &input = bundle.inputs[i];
      std::vector<std::byte> arena(bundle.inputArenaBytes);
      const TableState expected =
          bindInput(bundle, input, bound.values[i], bundle.evidence,
                    arena.data() + bundle.buffer(input.buffer).offsetBytes, sumExponent);
      const TableState &found = bound.states[input.buffer.index()];
      EXPECT_EQ(found, expected) << fmt::format(
          "{}: scale {} {}, least {} {}, greatest {} {}, form {} {}", input.factor, found.scale,
          expected.scale, found.minExponent, expected.minExponent, found.maxExponent,
          expected.maxExponent, found.form, expected.form);
      const TableView a = viewOf(bundle, input.buffer, bound.arena.data(), expected);
      const TableView b = viewOf(bundle, input.buffer, arena.data(), expected);
      for (uint64_t e = 0; e < a.sizeElems; ++e) {
        ASSERT_EQ(a.entry(e), b.entry(e)) << input.factor << " entry " << e;
        ASSERT_EQ(a.sign(e), b.sign(e)) << input.factor << " entry " << e;
      }
    }
  }
};

TEST_P(DeviceBinding, IsWhatTheHostBinds) {
  for (int trial = 0; trial < 12 && !HasFailure(); ++trial) {
    Bundle bundle = emptyBundle(trial % 4 == 0 ? 6 : 3);
    addInputs(bundle, 1 + below(4));
    std::vector<std::vector<double>> values;
    for (const BundleInput &input : bundle.inputs) {
      std::vector<double> &table = values.emplace_back(valueCount(bundle, input));
      std::generate(table.begin(), table.end(), [this] { return value(); });
    }
    const int32_t sumExponent = GetParam().plain ? static_cast<int32_t>(below(3)) : 0;
    const Bound bound = bind(bundle, std::move(values), sumExponent, 1000);
    EXPECT_EQ(faults_, "");
    EXPECT_EQ(bound.refused, 0u);
    expectSame(bundle, bound, sumExponent);
  }
}

/// Tests the ends of the type's range, which random values do not reach.
TEST_P(DeviceBinding, TakesTheEndsOfTheType) {
  const DeviceKind &kind = GetParam();
  const bool is32 = kind.type == ElementType::F32;
  if (kind.logInputs || kind.plain)
    GTEST_SKIP() << "of values that are multiplied";
  const double least = is32 ? 0x1p-149 : 0x1p-1074, normal = is32 ? 0x1p-126 : 0x1p-1022;
  const double greatest = is32 ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
  for (const std::vector<double> &values : {std::vector{least, 3 * least, normal},
                                            {greatest, greatest / 2, 0.0},
                                            {normal, 1.0, -0.0},
                                            {least, greatest, 0x1.fffffep0},
                                            {greatest, normal, normal}}) {
    Bundle bundle = emptyBundle(1);
    bundle.variables[0].extent = 3;
    bundle.evidence = {};
    bundle.inputs.push_back({addDeviceBuffer(bundle, "f", 3, true),
                             "f",
                             {VarId{size_t{0}}},
                             {VarId{size_t{0}}},
                             std::nullopt,
                             false});
    const Bound bound = bind(bundle, {values}, 0, 0);
    EXPECT_EQ(faults_, "");
    EXPECT_EQ(bound.refused, 0u);
    expectSame(bundle, bound, 0);
  }
}

/// Tests tables that are larger than the chunk of one block.
TEST_P(DeviceBinding, TakesManyBlocks) {
  Bundle bundle = emptyBundle(1);
  bundle.evidence = {};
  bundle.variables[0].extent = 37;
  bundle.variables[1].extent = 11;
  bundle.variables[2].extent = 23;
  const VarId a{size_t{0}}, b{size_t{1}}, c{size_t{2}};
  bundle.inputs.push_back({addDeviceBuffer(bundle, "f", 37 * 11 * 23, true),
                           "f",
                           {a, b, c},
                           {c, a, b},
                           std::nullopt,
                           false});
  std::vector<double> values(37 * 11 * 23);
  std::generate(values.begin(), values.end(), [this] { return value(); });
  const Bound bound = bind(bundle, {std::move(values)}, 0, 1000);
  EXPECT_EQ(faults_, "");
  expectSame(bundle, bound, 0);
}

TEST_P(DeviceBinding, RefusesWhatTheHostRefuses) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double odd : {nan, kDeviceInfinity, -kDeviceInfinity, -1.0, 1e9, 0.5, -0.0}) {
    Bundle bundle = emptyBundle(1);
    bundle.evidence = {};
    bundle.variables[0].extent = 5;
    bundle.inputs.push_back({addDeviceBuffer(bundle, "f", 5, true),
                             "f",
                             {VarId{size_t{0}}},
                             {VarId{size_t{0}}},
                             std::nullopt,
                             false});
    const std::vector<double> values = {0.25, 1, odd, 0.5, 2};
    bool isRefused = false;
    try {
      checkInput(bundle, bundle.inputs[0], StoredValues(values, values.size()));
    } catch (const Error &) {
      isRefused = true;
    }
    // Costs must be small enough for their sums.
    isRefused |= GetParam().plain && odd == 1e9;
    const Bound bound = bind(bundle, {values}, 0, 20);
    EXPECT_EQ(bound.refused, isRefused ? 1u : 0u) << odd;
    EXPECT_EQ(faults_, "");
    if (!isRefused)
      expectSame(bundle, bound, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceBinding,
                         testing::ValuesIn(deviceKinds().begin(), deviceKinds().end()),
                         [](const auto &instance) { return std::string(instance.param.name); });

} // namespace
} // namespace mpf::simt
