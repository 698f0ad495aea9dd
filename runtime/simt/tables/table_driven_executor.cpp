#include "runtime/simt/tables/table_driven_executor.h"

#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"
#include "runtime/execute/host/decode_tables.h"
#include "runtime/execute/host/integer_tables.h"
#include "runtime/schedule/launches/verify_launch_plan.h"
#include "runtime/schedule/lay_apart.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mpf::simt {

namespace {

constexpr uint64_t kMostBlocks = 3; ///< so that blocks take several rounds
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

/// Returns the places of table addresses. They are offsets in arenas until the checker has placed
/// the arenas.
std::vector<PointerPlace> pointersOf(const Bundle &bundle, const GpuRecords &records) {
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

} // namespace

std::unique_ptr<Program> compileTableDriven(const std::string &source, bool normalises) {
  const std::string operations = "const MpfOperation *", states = "MpfTableState *", number = "int";
  std::vector<Program::Entry> entries{
      {"mpf_level",
       {"const MpfLevelTask *", "const MpfRecordUnit *", states, "unsigned *", "MpfPartial *",
        number, number, number}},
      {"mpf_traceback",
       {"const MpfTraceStep *", "const MpfTracePart *", "const MpfTraceTerm *",
        "const MpfTableState *", "unsigned *", number, number, number, number, number}}};
  if (normalises)
    entries.push_back({"mpf_normalise", {operations, states, "unsigned *", number}});
  return std::make_unique<Program>(source, entries);
}

ReplicatedBundle tableDrivenProgram(Bundle bundle, const SliceReplicas &replicas) {
  constexpr uint64_t kSomeBytes = 512; // larger results share memory within each replica
  bundle.kernels.clear();
  bundle.kernels.emplace_back().name = "table_driven";
  bundle.tableDriven = 0;
  ReplicatedBundle program = replicateSlices(bundle, replicas);
  program.bundle = layApart(std::move(program.bundle), replicas.empty() ? kApartBytes : kSomeBytes);
  return program;
}

TableDrivenExecutor::TableDrivenExecutor(
    ReplicatedBundle program, Program &compiled, JoinLevels joins,
    std::function<void(const std::string &, const Report &)> report)
    : replicas_(std::move(program)), deviceBuffers_(bundle_), inputs_(bundle_.inputArenaBytes),
      // All bits set is NaN, which shows unwritten entries.
      work_(bundle_.workArenaBytes, std::byte{0xff}), initial_(bundle_.buffers.size()),
      states_(bundle_.buffers.size()), program_(compiled), joins_(joins),
      report_(std::move(report)), table_(buildGpuOperationTable(bundle_, deviceBuffers_, 0, 0)) {
  records_ = buildGpuRecords(table_);
  pointers_ = pointersOf(bundle_, records_);
}

std::byte *TableDrivenExecutor::inputMemory(BufferId input) {
  return inputs_.data() + bundle_.buffer(input).offsetBytes;
}

void TableDrivenExecutor::setInput(BufferId input, const TableState &state) {
  initial_[input.index()] = state;
}

void TableDrivenExecutor::run(std::span<const ScheduleStep> steps, const RunRequest &) {
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
  const LaunchPlan plan = planFor(runs);
  const std::string fault = findFault(plan, bundle_, {}, runs, kResidentBlocks);
  MPF_CHECK(fault.empty(), "launch plan of {}: {}", bundle_.name, fault);
  play(plan, runs);
}

void TableDrivenExecutor::setTables(std::span<const GivenTable> tables) {
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

TableView TableDrivenExecutor::table(BufferId id) const {
  const BundleBuffer &buffer = bundle_.buffer(id);
  const std::byte *const bytes = (buffer.input ? inputs_ : work_).data() + buffer.offsetBytes;
  const TableState &state = (buffer.input ? initial_ : states_)[id.index()];
  const auto *const plane =
      reinterpret_cast<const int8_t *>(bytes + buffer.sizeElems * elementBytes(bundle_.type));
  return {bundle_.type, state, buffer.sizeElems, bytes,
          state.form != 0 && bundle_.signedValues ? plane : nullptr};
}

LaunchPlan TableDrivenExecutor::planFor(const std::vector<char> &runs) { return levelPlan(runs); }

void TableDrivenExecutor::play(const LaunchPlan &plan, const std::vector<char> &) {
  makeLevels(plan, hasLogs());
  playLaunches(plan, 0, plan.launches.size());
}

LaunchPlan TableDrivenExecutor::levelPlan(const std::vector<char> &runs) const {
  LaunchOptions options;
  options.runs = runs;
  options.inputStates = initial_;
  options.joins.which = joins_;
  options.joins.residentBlocks = kResidentBlocks;
  return buildLaunchPlan(bundle_, options);
}

void TableDrivenExecutor::makeLevels(const LaunchPlan &plan, bool marksLogs) {
  levels_ = buildGpuLevelTable(plan, table_, records_, marksLogs);
  partials_.assign(levels_.partials * partialBytes(bundle_.type), std::byte{0xff});
}

void TableDrivenExecutor::playLaunches(const LaunchPlan &plan, size_t first, size_t end) {
  for (size_t i = first; i < end; ++i) {
    const mpf::Launch &each = plan.launches[i];
    MPF_CHECK(each.kind == LaunchKind::Level || each.kind == LaunchKind::Normalise,
              "a bundle without kernels has launches of one");
    if (each.kind == LaunchKind::Level)
      launchLevel(each, plan);
    else
      launchNormalise(each.first);
  }
}

void TableDrivenExecutor::launchLevel(const mpf::Launch &each, const LaunchPlan &plan) {
  const GpuLevelTable::Place &place = levels_.places[each.mapping];
  launch("mpf_level", each.gridBlocks, {kTasks, kRecords, kStates, kFinished, kPartials},
         {place.firstStep, place.heads, bundle_.forcedLog ? 2 : 0},
         phasesOf(plan.mappings[each.mapping]) > 1);
}

void TableDrivenExecutor::launchNormalise(uint32_t operation) {
  launch("mpf_normalise", 1 + operation % kMostBlocks, {kOperations, kStates, kFinished},
         {static_cast<int>(operation)});
}

std::vector<std::byte> TableDrivenExecutor::deviceInputs() const {
  std::vector<std::byte> image(deviceBuffers_.inputBytes());
  deviceBuffers_.pack(inputs_, initial_, {}, image);
  return image;
}

/// Returns the places of table addresses in the parts of the traceback.
std::vector<PointerPlace> TableDrivenExecutor::tracePointers() const {
  std::vector<PointerPlace> places;
  uint64_t offset = offsetof(GpuStepTable, table);
  for (const BundleTraceback &step : bundle_.traceback)
    for (const BundleTraceback::Table &table : step.tables) {
      places.push_back({1, offset, bundle_.buffer(table.buffer).input ? size_t{3} : size_t{4}});
      offset += sizeof(GpuStepTable);
    }
  return places;
}

void TableDrivenExecutor::launch(const std::string &entry, uint64_t blocks,
                                 const std::vector<size_t> &pointers,
                                 const std::vector<int> &numbers, bool isCooperative) {
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
  launch.isCooperative = isCooperative;
  launch.pointers = pointers_;
  report_(entry, program_.run(entry, launch, buffers, arguments));
}

std::vector<std::vector<uint32_t>> TableDrivenExecutor::decode(const DecodeRequest &request) const {
  GpuTraceTable trace = buildGpuTraceTable(bundle_, deviceBuffers_, 0, 0);
  std::vector<GpuTraceStep> asked;
  for (const uint32_t step : stepsToTake(bundle_, request))
    asked.push_back(trace.steps[step]);
  stageTogether(asked);
  std::vector<uint32_t> assignment(request.given.begin(), request.given.end());
  std::vector<std::byte> inputs = deviceInputs(), work = work_;
  std::vector<TableState> states = states_;
  for (const BundleInput &input : bundle_.inputs)
    states[input.buffer.index()] = initial_[input.buffer.index()];
  const auto bytesOf = [](auto &values) { return std::as_writable_bytes(std::span(values)); };
  std::vector<Buffer> buffers = {
      {"steps", bytesOf(asked)},          {"parts", bytesOf(trace.parts)},
      {"terms", bytesOf(trace.terms)},    {"inputs", bytesOf(inputs), true},
      {"work", bytesOf(work), true},      {"states", bytesOf(states)},
      {"assignment", bytesOf(assignment)}};
  std::vector<Argument> arguments;
  for (const size_t buffer : std::array<size_t, 5>{0, 1, 2, 5, 6})
    arguments.push_back(Argument::buffer(buffer));
  const Semiring semiring = bundle_.operations.front().semiring;
  const size_t variables = bundle_.variables.size();
  arguments.push_back(Argument::number(static_cast<int>(variables)));
  arguments.push_back(Argument::number(static_cast<int>(asked.size())));
  arguments.push_back(Argument::number(semiring.reduce == Reduce::Min));
  arguments.push_back(Argument::number(semiring.combine == Combine::Plus));
  const Decoding decoding = traitsOf(bundle_.kind).decoding.value();
  arguments.push_back(Argument::number(static_cast<int>(decoding)));
  simt::Launch launch;
  launch.gridBlocks = variables == 0 ? 1 : assignment.size() / variables;
  launch.blockThreads = kTableDrivenThreads;
  launch.pointers = tracePointers();
  report_("mpf_traceback", program_.run("mpf_traceback", launch, buffers, arguments));
  return assignmentsFromDevice(assignment, variables, decoding);
}

} // namespace mpf::simt
