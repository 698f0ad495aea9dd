#include "tests/simt/table_driven_executor.h"

#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"
#include "runtime/execute/gpu/tables/gpu_trace_table.h"
#include "runtime/execute/host/integer_tables.h"
#include "runtime/schedule/build_launch_plan.h"
#include "runtime/schedule/clique_collector.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/verify_launch_plan.h"
#include "runtime/simt/simt_check.h"
#include "tests/simt/slice_device.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <random>

namespace mpf::simt {

namespace {

constexpr uint64_t kMostBlocks = 3;     ///< so that blocks take several rounds
constexpr uint64_t kResidentBlocks = 3; ///< so that phases are folded
enum BufferNumber : size_t {
  kOperations,
  kInputs,
  kWork,
  kStates,
  kFinished,
  kTasks,
  kRecords,
  kPartials
};

/// As a program for a GPU: with the table-driven kernels, and small results apart; with replicas
/// only some of them, so that others share memory within each.
ReplicatedBundle programOf(Bundle bundle, const SliceReplicas &replicas) {
  constexpr uint64_t kSomeBytes = 512;
  bundle.kernels.clear();
  bundle.kernels.emplace_back().name = "table_driven";
  bundle.tableDriven = 0;
  ReplicatedBundle program = replicateSlices(bundle, replicas);
  program.bundle = layApart(std::move(program.bundle), replicas.empty() ? kApartBytes : kSomeBytes);
  return program;
}

class TableDrivenExecutor : public Executor {
public:
  TableDrivenExecutor(const Bundle &bundle, Program &program, TableDrivenPath path,
                      std::string &faults, const SliceReplicas &replicas)
      : replicas_(programOf(bundle, replicas)), program_(program), path_(path), faults_(faults),
        deviceBuffers_(bundle_), table_(buildGpuOperationTable(bundle_, deviceBuffers_, 0, 0)),
        records_(buildGpuRecords(table_)), inputs_(bundle.inputArenaBytes),
        // All bits set is NaN: what was not written shows.
        work_(bundle_.workArenaBytes, std::byte{0xff}), initial_(bundle_.buffers.size()),
        states_(bundle_.buffers.size()), pointers_(pointersOf(bundle_, records_)), best_(bundle_),
        random_(bundle.workArenaBytes) {}

  std::string deviceName() const override { return "simt"; }
  std::byte *inputMemory(BufferId input) override {
    return inputs_.data() + bundle_.buffer(input).offsetBytes;
  }
  void setInput(BufferId input, const TableState &state) override {
    initial_[input.index()] = state;
  }
  const std::vector<OperationProfile> &profile() const override { return profile_; }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const override;
  SliceStates bestSlice() const override { return best_.states(); }
  uint64_t allocatedBytes() const override { return inputs_.size() + work_.size(); }

  void run(std::span<const ScheduleStep> steps, const RunRequest &) override {
    std::vector<char> given(replicas_.first.size(), steps.empty()); // no steps: all
    for (const ScheduleStep &step : steps)
      if (step.kind == StepKind::Run)
        given[step.index] = 1;
    const std::vector<char> runs = replicas_.flagsOf(given, true);
    for (const BundleInput &input : bundle_.inputs)
      states_[input.buffer.index()] = initial_[input.buffer.index()];
    for (uint32_t i = 0; i < runs.size(); ++i)
      if (const size_t result = bundle_.operations[i].result.buffer.index(); runs[i] != 0)
        states_[result] = initial_[result];
    resetCounters();
    const bool isPlanned = path_ == TableDrivenPath::Level || path_ == TableDrivenPath::Resident;
    const LaunchPlan plan = isPlanned ? levelPlan(runs) : anyPlan(runs);
    EXPECT_EQ(findFault(plan, bundle_, {}, runs, kResidentBlocks), "");
    if (bundle_.sliced.empty())
      play(plan);
    else
      playSlices(plan, runs);
  }

  void setTables(std::span<const GivenTable> tables) override {
    for (const auto &[id, table] : tables) {
      const BundleBuffer &buffer = bundle_.buffer(id);
      std::byte *const to = work_.data() + buffer.offsetBytes;
      const uint64_t bytes = buffer.sizeElems * elementBytes(bundle_.type);
      std::copy_n(table.entries, bytes, to);
      if (table.signs != nullptr)
        std::copy_n(reinterpret_cast<const std::byte *>(table.signs), buffer.sizeElems, to + bytes);
      states_[id.index()] = table.state;
    }
  }

  TableView table(BufferId id) const override {
    const BundleBuffer &buffer = bundle_.buffer(id);
    const std::byte *const bytes = (buffer.input ? inputs_ : work_).data() + buffer.offsetBytes;
    const TableState &state = (buffer.input ? initial_ : states_)[id.index()];
    const auto *const plane =
        reinterpret_cast<const int8_t *>(bytes + buffer.sizeElems * elementBytes(bundle_.type));
    return {bundle_.type, state, buffer.sizeElems, bytes,
            state.form != 0 && bundle_.signedValues ? plane : nullptr};
  }

private:
  /// Of teams and of phases.
  void resetCounters() { finished_.assign(2 * bundle_.operations.size(), 0); }
  bool hasLogs() const { return !bundle_.forcedLog && !isIntegerType(bundle_.type); }

  LaunchPlan levelPlan(const std::vector<char> &runs) const {
    LaunchOptions options;
    options.runs = runs;
    options.inputStates = initial_;
    options.joins.which = path_ == TableDrivenPath::Resident ? JoinLevels::On : JoinLevels::Off;
    options.joins.residentBlocks = kResidentBlocks;
    return buildLaunchPlan(bundle_, options);
  }

  /// The parts of [0, end) that `count` blocks have.
  static std::vector<AddressRange> cut(uint64_t end, uint64_t count) {
    std::vector<AddressRange> parts;
    const uint64_t most = (end + count - 1) / count;
    for (uint64_t first = 0; first < end; first += most)
      parts.push_back({first, std::min(first + most, end)});
    return parts;
  }

  LaunchPlan anyPlan(const std::vector<char> &runs) {
    LaunchPlan plan;
    for (uint32_t i = 0; i < bundle_.operations.size(); ++i) {
      if (runs[i] == 0 || bundle_.operations[i].accumulates)
        continue;
      const LevelTask whole = wholeTask(bundle_, i);
      const uint64_t parts = 1 + random_() % 4, way = random_() % 3;
      LevelMapping mapping;
      const uint64_t cutEnd = way == 1 ? whole.outputs.end : whole.terms.end;
      for (const AddressRange &part : cut(cutEnd, way == 0 ? 1 : parts)) {
        LevelTask task = whole;
        (way == 1 ? task.outputs : task.terms) = part;
        mapping.blocks.push_back({{false, way != 0, {task}}});
      }
      mpf::Launch launch{LaunchKind::Level, i, 1,
                         bundle_.forcedLog ? LaunchArithmetic::Log : LaunchArithmetic::Either};
      launch.gridBlocks = mapping.blocks.size();
      launch.mapping = static_cast<uint32_t>(plan.mappings.size());
      plan.launches.push_back(launch);
      plan.mappings.push_back(std::move(mapping));
    }
    return plan;
  }

  void play(const LaunchPlan &plan) {
    makeLevels(plan);
    playLaunches(plan, 0, plan.launches.size());
  }

  void makeLevels(const LaunchPlan &plan) {
    levels_ = buildGpuLevelTable(plan, table_, records_,
                                 hasLogs() && path_ != TableDrivenPath::Normalise);
    partials_.assign(levels_.partials * partialBytes(bundle_.type), std::byte{0xff});
  }

  void playSlices(const LaunchPlan &plan, const std::vector<char> &runs) {
    makeLevels(plan);
    const SliceSteps steps = buildSliceSteps(replicas_, plan, runs);
    std::vector<std::byte> inputs = deviceInputs();
    SliceDevice device(replicas_, {inputs, work_, states_, initial_, finished_, records_.units},
                       buildSliceTables(replicas_, {deviceBuffers_, {0, 0}, 0, records_}, runs,
                                        LinearAssumption(bundle_, plan), steps.sums),
                       faults_);
    playSteps(plan, steps, steps.steps, device);
    EXPECT_EQ(device.noted.broken, 0) << "nothing was assumed";
    if (device.noted.lost != GpuSliceFaults().lost)
      failOverflow(bundle_.operations[replicas_.first[static_cast<size_t>(device.noted.lost)]].name,
                   bundle_.type);
    best_.setNoted(device.bestNoted());
  }

  void playSteps(const LaunchPlan &plan, const SliceSteps &all, const std::vector<SliceStep> &steps,
                 SliceDevice &device) {
    for (const SliceStep &step : steps)
      if (step.kind == SliceStep::Kind::Launches)
        playLaunches(plan, step.first, step.end);
      else if (step.kind == SliceStep::Kind::Sums)
        device.add(all.sums[step.sums], step.sums);
      else
        playLoop(plan, all, step, device);
  }

  /// Of every other loop whose passes end in sums, these and the step to the next pass are one
  /// launch.
  void playLoop(const LaunchPlan &plan, const SliceSteps &all, const SliceStep &loop,
                SliceDevice &device) {
    device.enter(loop.loop);
    for (uint32_t pass = 0; pass < loop.passes; ++pass) {
      const bool isLast = pass + 1 == loop.passes;
      std::vector<SliceStep> body = loop.body;
      if (isLast || !loop.endsInSums() || loop.loop % 2 == 0) {
        playSteps(plan, all, body, device);
        if (!isLast)
          device.enter(loop.loop);
        continue;
      }
      const uint32_t sums = body.back().sums;
      body.pop_back();
      playSteps(plan, all, body, device);
      device.step(all.sums[sums], sums);
    }
  }

  void playLaunches(const LaunchPlan &plan, size_t first, size_t end) {
    const bool apart = path_ == TableDrivenPath::Normalise;
    for (size_t i = first; i < end; ++i) {
      const mpf::Launch &each = plan.launches[i];
      if (each.kind == LaunchKind::Level) {
        const GpuLevelTable::Place &place = levels_.places[each.mapping];
        isCooperative_ = phasesOf(plan.mappings[each.mapping]) > 1;
        launch("mpf_level", each.gridBlocks, {kTasks, kRecords, kStates, kFinished, kPartials},
               {place.firstStep, place.heads, bundle_.forcedLog ? 2 : 0});
        isCooperative_ = false;
        if (apart) // whose counters are the same
          resetCounters();
        if (apart && hasLogs())
          launchNormalise(each.first);
      } else if (each.kind == LaunchKind::Normalise) {
        launchNormalise(each.first);
      } else {
        ADD_FAILURE() << "a bundle without kernels has launches of one";
      }
    }
  }
  void launchNormalise(uint32_t i) {
    launch("mpf_normalise", 1 + i % kMostBlocks, {kOperations, kStates, kFinished},
           {static_cast<int>(i)});
  }

  /// Table addresses are offsets in their arenas until the checker has placed these.
  static std::vector<PointerPlace> pointersOf(const Bundle &bundle, const GpuRecords &records) {
    std::vector<PointerPlace> places;
    for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
      const BundleOperation &operation = bundle.operations[i];
      const auto placeIn = [&](BufferNumber buffer, uint64_t start, const BundleAccess &access) {
        const size_t target = bundle.buffer(access.buffer).input ? kInputs : kWork;
        places.push_back({buffer, start + offsetof(GpuOperation, table), target});
        if (bundle.signedValues && !bundle.buffer(access.buffer).packed)
          places.push_back({buffer, start + offsetof(GpuOperation, signs), target});
      };
      const auto place = [&](const BundleAccess &access, size_t slot) {
        const uint64_t start = slot * sizeof(uint64_t);
        placeIn(kOperations, i * sizeof(GpuOperation) + start, access);
        placeIn(kRecords, records.first[i] * sizeof(GpuRecordUnit) + start, access);
      };
      for (size_t slot = 0; slot < operation.operands.size(); ++slot)
        place(operation.operands[slot], slot);
      place(operation.result, kTableResult);
    }
    return places;
  }

  std::vector<std::byte> deviceInputs() const {
    std::vector<std::byte> image(deviceBuffers_.inputBytes());
    deviceBuffers_.pack(inputs_, initial_, {}, image);
    return image;
  }

  /// As pointersOf, for the parts of the traceback.
  std::vector<PointerPlace> tracePointers() const {
    std::vector<PointerPlace> places;
    uint64_t offset = offsetof(GpuStepTable, table);
    for (const BundleTraceback &step : bundle_.traceback)
      for (const BundleTraceback::Table &table : step.tables) {
        places.push_back({1, offset, bundle_.buffer(table.buffer).input ? size_t{3} : size_t{4}});
        offset += sizeof(GpuStepTable);
      }
    return places;
  }

  void launch(const std::string &entry, uint64_t blocks, const std::vector<size_t> &pointers,
              const std::vector<int> &numbers) {
    std::vector<GpuOperation> operations = table_.operations; // the checker fills in addresses
    std::vector<GpuRecordUnit> records = records_.units;
    std::vector<std::byte> inputs = deviceInputs();
    const auto bytesOf = [](auto &values) { return std::as_writable_bytes(std::span(values)); };
    std::vector<Buffer> buffers = {{"operations", bytesOf(operations)},
                                   {"inputs", bytesOf(inputs), true},
                                   {"work", bytesOf(work_), true},
                                   {"states", bytesOf(states_)},
                                   {"counters", bytesOf(finished_)},
                                   {"tasks", bytesOf(levels_.tasks), false, false, true},
                                   {"records", bytesOf(records), false, false, true},
                                   {"partial sums", bytesOf(partials_)}};
    std::vector<Argument> arguments;
    for (const size_t pointer : pointers)
      arguments.push_back(Argument::buffer(pointer));
    for (const int number : numbers)
      arguments.push_back(Argument::number(number));
    simt::Launch launch;
    launch.gridBlocks = blocks;
    launch.blockThreads = kTableDrivenThreads;
    launch.isCooperative = isCooperative_;
    launch.pointers = pointers_;
    faults_ += program_.run(entry, launch, buffers, arguments).faultText();
  }

  const ReplicatedBundle replicas_;
  const Bundle &bundle_ = replicas_.bundle;
  Program &program_;
  TableDrivenPath path_;
  std::string &faults_;
  DeviceBuffers deviceBuffers_;
  GpuOperationTable table_;
  GpuRecords records_;
  GpuLevelTable levels_;
  std::vector<std::byte> partials_;
  std::vector<std::byte> inputs_, work_;
  std::vector<TableState> initial_, states_;
  std::vector<uint32_t> finished_;
  std::vector<PointerPlace> pointers_;
  std::vector<OperationProfile> profile_;
  BestSlice best_;
  bool isCooperative_ = false; ///< the launch that runs
  std::mt19937_64 random_;     ///< for AnyMapping
};

std::vector<std::vector<uint32_t>> TableDrivenExecutor::decode(const DecodeRequest &request) const {
  GpuTraceTable trace = buildGpuTraceTable(bundle_, deviceBuffers_, 0, 0);
  std::vector<uint32_t> assignment(request.given.begin(), request.given.end());
  std::vector<std::byte> inputs = deviceInputs(), work = work_;
  std::vector<TableState> states = states_;
  for (const BundleInput &input : bundle_.inputs)
    states[input.buffer.index()] = initial_[input.buffer.index()];
  const auto bytesOf = [](auto &values) { return std::as_writable_bytes(std::span(values)); };
  std::vector<Buffer> buffers = {
      {"steps", bytesOf(trace.steps)},    {"parts", bytesOf(trace.parts)},
      {"terms", bytesOf(trace.terms)},    {"inputs", bytesOf(inputs), true},
      {"work", bytesOf(work), true},      {"states", bytesOf(states)},
      {"assignment", bytesOf(assignment)}};
  std::vector<Argument> arguments;
  for (const size_t buffer : std::array<size_t, 5>{0, 1, 2, 5, 6})
    arguments.push_back(Argument::buffer(buffer));
  const Semiring semiring = bundle_.operations.front().semiring;
  arguments.push_back(Argument::number(static_cast<int>(trace.steps.size())));
  arguments.push_back(Argument::number(semiring.reduce == Reduce::Min));
  arguments.push_back(Argument::number(semiring.combine == Combine::Plus));
  const Decoding decoding = traitsOf(bundle_.kind).decoding.value();
  arguments.push_back(Argument::number(static_cast<int>(decoding)));
  simt::Launch launch;
  launch.gridBlocks = 1;
  launch.blockThreads = kTableDrivenThreads;
  launch.pointers = tracePointers();
  faults_ += program_.run("mpf_traceback", launch, buffers, arguments).faultText();
  return assignmentsFromDevice(std::move(assignment), decoding);
}

} // namespace

const char *suffixOf(TableDrivenPath path) {
  return path == TableDrivenPath::Level        ? "_level"
         : path == TableDrivenPath::Resident   ? "_resident"
         : path == TableDrivenPath::AnyMapping ? "_any_mapping"
                                               : "_normalise";
}

std::unique_ptr<Program> compileTableDriven(const std::string &source, bool normalises) {
  const std::string operations = "const MpfOperation *", states = "MpfTableState *", number = "int";
  std::vector<Program::Entry> entries{
      {"mpf_level",
       {"const MpfLevelTask *", "const MpfRecordUnit *", states, "unsigned *", "MpfPartial *",
        number, number, number}},
      {"mpf_traceback",
       {"const MpfTraceStep *", "const MpfTracePart *", "const MpfTraceTerm *",
        "const MpfTableState *", "unsigned *", number, number, number, number}}};
  if (normalises)
    entries.push_back({"mpf_normalise", {operations, states, "unsigned *", number}});
  return std::make_unique<Program>(source, entries);
}

std::unique_ptr<Executor> makeTableDrivenExecutor(const Bundle &bundle, Program &program,
                                                  TableDrivenPath path, std::string &faults,
                                                  const SliceReplicas &replicas) {
  return std::make_unique<TableDrivenExecutor>(bundle, program, path, faults, replicas);
}

} // namespace mpf::simt
