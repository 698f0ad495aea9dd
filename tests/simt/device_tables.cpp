#include "tests/simt/device_tables.h"

#include "dsl/support/table_layout.h"
#include "tests/simt/launch_program.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace mpf::simt {

namespace {

const DeviceKind kDeviceKinds[] = {
    {"linear"},
    {"linear32", ElementType::F32},
    {"zeros", ElementType::F64, 2, 1},
    {"wide", ElementType::F64, 600},
    {"wide32", ElementType::F32, 70},
    {"forcedLog", ElementType::F64, 2, 0.3, true},
    {"signed", ElementType::F64, 4, 0.1, false, false, true},
    {"signedWide", ElementType::F64, 500, 0.1, false, false, true},
    {"signedWide32", ElementType::F32, 60, 0.1, true, false, true},
    {"logs", ElementType::F64, 2, 0.1, false, true},
    {"logsWide", ElementType::F64, 5, 0.1, false, true},
    {"logs32", ElementType::F32, 1, 0.1, false, true},
    {"costs", ElementType::F64, 3, 0.1, false, false, false, true},
    {"costs32", ElementType::F32, 3, 0.1, false, false, false, true},
};

/// The kernels of both types, with entries that read their launch from memory.
class Programs {
public:
  Program &of(ElementType type) {
    std::unique_ptr<Program> &program = programs_[type == ElementType::F64];
    if (program)
      return *program;
    static constexpr LaunchEntry kKernels[] = {{"mpf_bind_range", "MpfBindLaunch"},
                                               {"mpf_bind_entries", "MpfBindLaunch"},
                                               {"mpf_read_sums", "MpfReadLaunch"},
                                               {"mpf_read_entries", "MpfReadLaunch"}};
    program = makeLaunchProgram(deviceRunSource(type), kKernels);
    return *program;
  }

private:
  std::unique_ptr<Program> programs_[2];
};

/// Returns the compiled programs, which live until the process ends: compiling takes longer than
/// the tests.
Programs &programs() {
  static Programs all;
  return all;
}

} // namespace

std::span<const DeviceKind> deviceKinds() { return kDeviceKinds; }

uint64_t entriesOf(const Bundle &bundle, const std::vector<VarId> &scope) {
  uint64_t count = 1;
  for (const VarId id : scope)
    count *= bundle.variables[id.index()].extent;
  return count;
}

BufferId addDeviceBuffer(Bundle &bundle, const std::string &name, uint64_t elems, bool input) {
  uint64_t &end = input ? bundle.inputArenaBytes : bundle.workArenaBytes;
  const uint64_t bytes = bufferBytes(elems, bundle.type, bundle.signedValues);
  end = roundUp(end, tableAlignBytes(bytes));
  bundle.buffers.push_back({name, elems, end, input, false});
  end += roundUp(bytes, kTableGrainBytes);
  return BufferId{bundle.buffers.size() - 1};
}

TableView viewOf(const Bundle &bundle, BufferId id, const std::byte *arena,
                 const TableState &state) {
  const BundleBuffer &buffer = bundle.buffer(id);
  const std::byte *const entries = arena + buffer.offsetBytes;
  const auto *signs =
      reinterpret_cast<const int8_t *>(entries + buffer.sizeElems * elementBytes(bundle.type));
  const bool hasSigns = state.form != 0 && bundle.signedValues;
  return {bundle.type, state, buffer.sizeElems, entries, hasSigns ? signs : nullptr};
}

double DeviceTables::value() {
  const DeviceKind &kind = GetParam();
  if (unit() < kind.zeros)
    return kind.logInputs ? -kDeviceInfinity : 0;
  const double magnitude = std::pow(10, kind.spreadLog10 * (unit() - 0.5));
  const bool negative = (kind.signedValues || kind.logInputs || kind.plain) && below(2) == 0;
  if (kind.plain && below(20) == 0)
    return -kDeviceInfinity;
  const double any = negative ? -magnitude : magnitude;
  return kind.type == ElementType::F32 ? static_cast<double>(static_cast<float>(any)) : any;
}

Bundle DeviceTables::emptyBundle(uint64_t greatestExtent) {
  const DeviceKind &kind = GetParam();
  Bundle bundle;
  bundle.type = kind.type;
  bundle.forcedLog = kind.forcedLog;
  bundle.logInputs = kind.logInputs;
  bundle.signedValues = kind.signedValues;
  if (kind.plain)
    bundle.operations.emplace_back().semiring = {Reduce::Max, Combine::Plus};
  for (size_t i = 0; i < 7; ++i) {
    bundle.variables.push_back(
        {fmt::format("v{}", i), static_cast<uint32_t>(1 + below(greatestExtent)), {}});
    if (below(3) != 0)
      continue;
    bundle.evidence.findings.push_back({VarId{i}, false});
    bundle.evidence.states.push_back(static_cast<uint32_t>(below(bundle.variables[i].extent)));
  }
  return bundle;
}

std::vector<VarId> DeviceTables::someVariables(bool isObservedToo, const Bundle &bundle) {
  std::vector<VarId> list;
  for (size_t i = 0; i < bundle.variables.size(); ++i)
    if (below(3) != 0 && (isObservedToo || !bundle.evidence.observes(VarId{i})))
      list.push_back(VarId{i});
  std::shuffle(list.begin(), list.end(), random_);
  return list;
}

void DeviceTables::launch(const std::string &name, uint64_t blocks, std::vector<Buffer> &buffers,
                          std::vector<PointerPlace> pointers) {
  if (blocks == 0)
    return;
  simt::Launch launch;
  launch.gridBlocks = blocks;
  launch.blockThreads = kMapThreads;
  launch.pointers = std::move(pointers);
  const std::vector<Argument> arguments = {Argument::buffer(0)};
  faults_ +=
      programs().of(GetParam().type).run("test_" + name, launch, buffers, arguments).faultText();
}

} // namespace mpf::simt
