#include "tests/simt/table_driven_executor.h"

#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"
#include "runtime/execute/gpu/gpu_operation_table.h"
#include "runtime/execute/gpu/gpu_trace_table.h"
#include "runtime/simt/simt_check.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace mpf::simt {

namespace {

constexpr uint64_t kMostBlocks = 3; ///< so that blocks take several rounds
enum BufferNumber : size_t { kOperations, kDigits, kInputs, kWork, kStates, kFinished };

class TableDrivenExecutor : public Executor {
public:
  TableDrivenExecutor(const Bundle &bundle, Program &program, TableDrivenPath path,
                      std::string &faults)
      : bundle_(bundle), program_(program), path_(path), faults_(faults), deviceBuffers_(bundle),
        table_(buildGpuOperationTable(bundle, deviceBuffers_, 0, 0)),
        inputs_(bundle.inputArenaBytes), initial_(bundle.buffers.size()),
        pointers_(pointersOf(bundle)) {}

  std::string deviceName() const override { return "simt"; }
  std::byte *inputMemory(BufferId input) override {
    return inputs_.data() + bundle_.buffer(input).offsetBytes;
  }
  void setInput(BufferId input, const TableState &state) override {
    initial_[input.index()] = state;
  }
  const std::vector<OperationProfile> &profile() const override { return profile_; }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const override;
  SliceStates bestSlice() const override { return {}; } // GPU programs are not sliced
  uint64_t allocatedBytes() const override { return inputs_.size() + work_.size(); }

  void run(std::span<const ScheduleStep>, const RunRequest &) override {
    // All bits set is NaN: what was not written shows.
    work_.assign(bundle_.workArenaBytes, std::byte{0xff});
    states_ = initial_;
    finished_.assign(bundle_.operations.size(), 0);
    const int mode = bundle_.forcedLog ? 2 : 0;
    const auto count = static_cast<int>(bundle_.operations.size());
    if (path_ == TableDrivenPath::SmallRun) {
      launch("mpf_small_operations", 1, {kOperations, kDigits, kStates}, {0, count, mode});
      return;
    }
    for (int i = 0; i < count; ++i) {
      const GpuOperation &operation = table_.operations[static_cast<size_t>(i)];
      const uint64_t groups = operation.keptAddresses * static_cast<uint64_t>(operation.lanes);
      const uint64_t blocks = std::clamp<uint64_t>(
          (groups + kTableDrivenThreads - 1) / kTableDrivenThreads, 1, kMostBlocks);
      launch("mpf_operation", blocks, {kOperations, kDigits, kStates}, {i, mode});
      if (!bundle_.forcedLog && !isIntegerType(bundle_.type))
        launch("mpf_normalise", blocks, {kOperations, kStates, kFinished}, {i});
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
  /// Table addresses are offsets in their arenas until the checker has placed these.
  static std::vector<PointerPlace> pointersOf(const Bundle &bundle) {
    std::vector<PointerPlace> places;
    for (size_t i = 0; i < bundle.operations.size(); ++i) {
      const BundleOperation &operation = bundle.operations[i];
      const auto place = [&](const BundleAccess &access, size_t slot) {
        const size_t target = bundle.buffer(access.buffer).input ? kInputs : kWork;
        const uint64_t start = i * sizeof(GpuOperation) + slot * sizeof(uint64_t);
        places.push_back({kOperations, start + offsetof(GpuOperation, table), target});
        if (bundle.signedValues && !bundle.buffer(access.buffer).packed)
          places.push_back({kOperations, start + offsetof(GpuOperation, signs), target});
      };
      for (size_t slot = 0; slot < operation.operands.size(); ++slot)
        place(operation.operands[slot], slot);
      place(operation.result, kTableResult);
    }
    return places;
  }

  std::vector<std::byte> deviceInputs() const {
    std::vector<std::byte> packed;
    const std::span<const std::byte> image = deviceBuffers_.image(inputs_, initial_, {}, packed);
    return {image.begin(), image.end()};
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
    std::vector<std::byte> inputs = deviceInputs();
    const auto bytesOf = [](auto &values) { return std::as_writable_bytes(std::span(values)); };
    std::vector<Buffer> buffers = {
        {"operations", bytesOf(operations)}, {"digits", bytesOf(table_.digits)},
        {"inputs", bytesOf(inputs), true},   {"work", bytesOf(work_), true},
        {"states", bytesOf(states_)},        {"finished blocks", bytesOf(finished_)}};
    std::vector<Argument> arguments;
    for (const size_t pointer : pointers)
      arguments.push_back(Argument::buffer(pointer));
    for (const int number : numbers)
      arguments.push_back(Argument::number(number));
    Launch launch;
    launch.gridBlocks = blocks;
    launch.blockThreads = kTableDrivenThreads;
    launch.pointers = pointers_;
    faults_ += program_.run(entry, launch, buffers, arguments).faultText();
  }

  const Bundle &bundle_;
  Program &program_;
  TableDrivenPath path_;
  std::string &faults_;
  DeviceBuffers deviceBuffers_;
  GpuOperationTable table_;
  std::vector<std::byte> inputs_, work_;
  std::vector<TableState> initial_, states_;
  std::vector<uint32_t> finished_;
  std::vector<PointerPlace> pointers_;
  std::vector<OperationProfile> profile_;
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
  Launch launch;
  launch.gridBlocks = 1;
  launch.blockThreads = kTableDrivenThreads;
  launch.pointers = tracePointers();
  faults_ += program_.run("mpf_traceback", launch, buffers, arguments).faultText();
  return assignmentsFromDevice(std::move(assignment), decoding);
}

} // namespace

std::unique_ptr<Program> compileTableDriven(const std::string &source, bool normalises) {
  const std::string operations = "const MpfOperation *", digits = "const MpfDigit *",
                    states = "MpfTableState *", number = "int";
  std::vector<Program::Entry> entries{
      {"mpf_operation", {operations, digits, states, number, number}},
      {"mpf_small_operations", {operations, digits, states, number, number, number}},
      {"mpf_traceback",
       {"const MpfTraceStep *", "const MpfTracePart *", "const MpfTraceTerm *",
        "const MpfTableState *", "unsigned *", number, number, number, number}}};
  if (normalises)
    entries.push_back({"mpf_normalise", {operations, states, "unsigned *", number}});
  return std::make_unique<Program>(source, entries);
}

std::unique_ptr<Executor> makeTableDrivenExecutor(const Bundle &bundle, Program &program,
                                                  TableDrivenPath path, std::string &faults) {
  return std::make_unique<TableDrivenExecutor>(bundle, program, path, faults);
}

} // namespace mpf::simt
