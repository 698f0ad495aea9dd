// Results in device memory, in the checker: the kernels read them as readOutput does on the host,
// without a fault.
#include "runtime/execute/host/read_output.h"
#include "tests/simt/device_tables.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace mpf::simt {
namespace {

class DeviceReading : public DeviceTables {
protected:
  /// Adds outputs with random tables as a run may leave them, in either form.
  void addOutputs(Bundle &bundle, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      BundleOutput output;
      output.name = fmt::format("o{}", i);
      output.layout = someVariables(false, bundle);
      output.scope = output.layout;
      std::shuffle(output.scope.begin(), output.scope.end(), random_);
      output.normalised = !GetParam().plain && i != 0 && below(2) == 0;
      output.buffer = addDeviceBuffer(bundle, output.name, entriesOf(bundle, output.layout), false);
      bundle.outputs.push_back(std::move(output));
    }
  }

  template <class T> void fillTable(std::byte *memory, uint64_t elems, TableState &state) {
    const DeviceKind &kind = GetParam();
    state.form = !kind.plain && (kind.forcedLog || below(2) == 0) ? 1 : 0;
    state.scale = kind.plain ? 0 : static_cast<int32_t>(below(2000)) - 1000;
    T *const entries = reinterpret_cast<T *>(memory);
    int8_t *const signs = reinterpret_cast<int8_t *>(entries + elems);
    for (uint64_t i = 0; i < elems; ++i) {
      const bool isZero = unit() < kind.zeros;
      const double magnitude = std::pow(10, std::min(kind.spreadLog10, 20.0) * (unit() - 0.5));
      const bool negative = (kind.signedValues || kind.plain) && below(3) == 0;
      if (state.form != 0)
        entries[i] = static_cast<T>(isZero ? -kDeviceInfinity : 700 * (unit() - 0.5));
      else
        entries[i] = static_cast<T>(isZero ? 0 : negative ? -magnitude : magnitude);
      if (kind.signedValues)
        signs[i] = negative && state.form != 0 ? -1 : 1;
    }
  }

  struct Read {
    std::vector<double> results;
    std::vector<int32_t> exponents;
  };

  Read read(const Bundle &bundle, std::vector<std::byte> &arena, std::vector<TableState> &states,
            int32_t sumExponent, uint32_t refusedFlag) {
    const DeviceBuffers places(bundle);
    GpuMapTable<GpuReadTask> table = buildReadTable(bundle, places, {0, 0});
    std::vector<GpuReadLaunch> launches(1);
    launches[0].taskCount = static_cast<int32_t>(bundle.outputs.size());
    launches[0].isPlain = GetParam().plain ? 1 : 0;
    launches[0].exponent = sumExponent;
    uint64_t elems = 0;
    for (const BundleOutput &output : bundle.outputs)
      elems += bundle.buffer(output.buffer).sizeElems;
    std::vector<std::byte> results(elems * elementBytes(bundle.type), std::byte{0xff});
    Read read{{}, std::vector<int32_t>(bundle.outputs.size(), 12345)};
    std::vector<std::byte> chunkSums(table.chunks.size() * kReadSumBytes, std::byte{0xff}),
        sums(bundle.outputs.size() * kReadSumBytes, std::byte{0xff});
    std::vector<uint32_t> finished(bundle.outputs.size(), 0), zeros(1, 0), refused(1, refusedFlag);
    enum : size_t { kLaunch, kChunks, kTasks, kArena = 12 };
    std::vector<PointerPlace> pointers;
    for (size_t p = 0; p < 11; ++p)
      pointers.push_back({kLaunch, p * sizeof(uint64_t), kChunks + p});
    for (size_t i = 0; i < bundle.outputs.size(); ++i) {
      pointers.push_back({kTasks, i * sizeof(GpuReadTask), kArena});
      if (bundle.signedValues)
        pointers.push_back({kTasks, i * sizeof(GpuReadTask) + sizeof(uint64_t), kArena});
    }
    std::vector<Buffer> buffers = {{"launch", mutableBytes(launches)},
                                   {"chunks", mutableBytes(table.chunks), false, true},
                                   {"tasks", mutableBytes(table.tasks), false, true},
                                   {"digits", mutableBytes(table.digits), false, true},
                                   {"states", mutableBytes(states), false, true},
                                   {"chunk sums", chunkSums},
                                   {"sums", sums},
                                   {"finished", mutableBytes(finished)},
                                   {"zeros", mutableBytes(zeros)},
                                   {"refused", mutableBytes(refused), false, true},
                                   {"results", results},
                                   {"exponents", mutableBytes(read.exponents)},
                                   {"arena", arena, true, true}};
    for (const char *name : {"mpf_read_sums", "mpf_read_entries"}) {
      if (GetParam().plain && name == std::string_view("mpf_read_sums"))
        continue;
      std::vector<GpuReadLaunch> fresh = launches;
      std::vector<GpuReadTask> tasks = table.tasks;
      buffers[kLaunch].contents = mutableBytes(fresh);
      buffers[kTasks].contents = mutableBytes(tasks);
      launch(name, table.chunks.size(), buffers, pointers);
    }
    for (uint64_t i = 0; i < elems; ++i)
      read.results.push_back(bundle.type == ElementType::F32
                                 ? static_cast<double>(reinterpret_cast<float *>(results.data())[i])
                                 : reinterpret_cast<double *>(results.data())[i]);
    return read;
  }

  /// Checks a bundle with random tables.
  void check(const Bundle &bundle) {
    std::vector<std::byte> arena(bundle.workArenaBytes, std::byte{0xff});
    std::vector<TableState> states(bundle.buffers.size());
    for (size_t i = 0; i < bundle.buffers.size(); ++i) {
      std::byte *const memory = arena.data() + bundle.buffers[i].offsetBytes;
      if (bundle.type == ElementType::F32)
        fillTable<float>(memory, bundle.buffers[i].sizeElems, states[i]);
      else
        fillTable<double>(memory, bundle.buffers[i].sizeElems, states[i]);
    }
    const int32_t sumExponent = GetParam().plain ? static_cast<int32_t>(below(4)) : 0;
    const Read first = read(bundle, arena, states, sumExponent, 0);
    EXPECT_EQ(faults_, "");
    expectAsTheHost(bundle, arena, states, sumExponent, first);
    const Read refused = read(bundle, arena, states, sumExponent, 1);
    for (const double result : refused.results)
      EXPECT_TRUE(std::isnan(result));
  }

  static void expectAsTheHost(const Bundle &bundle, const std::vector<std::byte> &arena,
                              const std::vector<TableState> &states, int32_t sumExponent,
                              const Read &read) {
    const double tolerance = bundle.type == ElementType::F32 ? 2e-6 : 1e-13;
    bool zeroProbability = false;
    uint64_t first = 0;
    for (size_t o = 0; o < bundle.outputs.size(); ++o) {
      const BundleOutput &output = bundle.outputs[o];
      const TableView view =
          viewOf(bundle, output.buffer, arena.data(), states[output.buffer.index()]);
      const ResultTable expected = readOutput(bundle, output, view, zeroProbability, sumExponent);
      const double *const found = read.results.data() + first;
      first += view.sizeElems;
      if (output.normalised) {
        EXPECT_EQ(read.exponents[o], 0);
        for (uint64_t i = 0; i < view.sizeElems; ++i)
          if (expected.entries.empty())
            EXPECT_TRUE(std::isnan(found[i])) << output.name << " entry " << i;
          else
            EXPECT_NEAR(found[i], expected.entries[i],
                        tolerance * std::max(1.0, std::abs(expected.entries[i])))
                << output.name << " entry " << i;
        continue;
      }
      for (uint64_t i = 0; i < view.sizeElems; ++i) {
        if (!expected.logEntries) {
          EXPECT_EQ(found[i], expected.entries[i]) << output.name << " entry " << i;
          EXPECT_EQ(read.exponents[o], expected.exponent) << output.name;
          continue;
        }
        const double log2 = expected.entries[i] + static_cast<double>(expected.exponent);
        const double sign = expected.signs.empty() ? 1 : expected.signs[i];
        EXPECT_LT(std::abs(found[i]), 2.0001);
        if (found[i] == 0) { // compared with the greatest it is too small for the type
          EXPECT_LT(log2 - read.exponents[o], bundle.type == ElementType::F32 ? -148 : -1073);
        } else if (std::abs(found[i]) > 0x1p-120) {
          EXPECT_NEAR(std::log2(sign * found[i]) + read.exponents[o], log2,
                      tolerance * std::max(1.0, std::abs(log2)))
              << output.name << " entry " << i;
        }
      }
    }
  }
};

TEST_P(DeviceReading, IsWhatTheHostReads) {
  for (int trial = 0; trial < 12 && !HasFailure(); ++trial) {
    Bundle bundle = emptyBundle(trial == 0 ? 9 : 4);
    addOutputs(bundle, 1 + below(4));
    check(bundle);
  }
}

/// Tests tables that are larger than the chunk of one block, whose sums come from several blocks.
TEST_P(DeviceReading, TakesManyBlocks) {
  Bundle bundle = emptyBundle(1);
  bundle.evidence = {};
  for (size_t i = 0; i < 3; ++i)
    bundle.variables[i].extent = 29 - static_cast<uint32_t>(i);
  const VarId a{size_t{0}}, b{size_t{1}}, c{size_t{2}};
  for (const bool normalised : {false, !GetParam().plain})
    bundle.outputs.push_back({{"o", {b, a, c}, normalised},
                              addDeviceBuffer(bundle, "o", 29 * 28 * 27, false),
                              {c, a, b}});
  check(bundle);
}

INSTANTIATE_TEST_SUITE_P(All, DeviceReading,
                         testing::ValuesIn(deviceKinds().begin(), deviceKinds().end()),
                         [](const auto &instance) { return std::string(instance.param.name); });

} // namespace
} // namespace mpf::simt
