#include "runtime/execute/cpu_executor.h"

#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/execute/compiled/compiled_kernels.h"
#include "runtime/execute/compiled/run_compiled.h"
#include "runtime/execute/cpu/cpu_run.h"
#include "runtime/execute/cpu/prepare_operation.h"
#include "runtime/execute/cpu/split_work.h"
#include "runtime/execute/host/exponent_bits.h"
#include "runtime/execute/host/host_executor.h"
#include "runtime/execute/integer/integer_executor.h"
#include "runtime/execute/threads/worker_memory.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace mpf {

namespace {

int32_t checkedScale(int64_t scale, const std::string &operation) {
  if (scale != static_cast<int32_t>(scale))
    fail(ErrorKind::Unsupported, "operation {}: values near 2^{} are beyond any scale", operation,
         scale);
  return static_cast<int32_t>(scale);
}

/// A table of an operation.
struct TablePlace {
  uint32_t buffer = 0;
  bool moves = false; ///< the place of its entries depends on the slice
};

/// A running operation: the decisions of beginOperation.
template <class T> struct CpuSeat {
  RunArgs<T> args;
  WrittenRange<T> range;               ///< range of an operation of one part
  std::vector<WrittenRange<T>> ranges; ///< ranges of an operation of several parts: one per thread
  TableSet *tables = nullptr;          ///< the tables that it works on
  uint32_t index = 0;
  size_t parts = 0;
  int64_t scale = 0; ///< scale of the result's table
  uint64_t steps = 0;
  double stepNs = 0; ///< predicted
  const char *path = "";
  void (*rows)(const RunArgs<T> &, uint64_t, uint64_t, Scratch<T> &, WrittenRange<T> &) = nullptr;
  void *compiled = nullptr; ///< compiled kernel; used instead of `rows` if not null

  bool runsLog() const { return args.log; }
};

template <class T> class CpuExecutor final : public HostExecutor {
public:
  CpuExecutor(const Bundle &bundle, size_t threads, const CpuOptions &options)
      : HostExecutor(bundle, threads, options.spread, cpuKernels<T>().name),
        kernels_(cpuKernels<T>()), seats_(threads) {
    operations_.reserve(bundle.operations.size());
    ListPool lists;
    for (const BundleOperation &operation : bundle.operations) {
      operations_.push_back(
          prepareOperation(operation, bundle.logInputs, tileTarget(kernels_, threads)));
      tiles_ |= operations_.back().tiles != nullptr;
      if (operations_.back().path == CpuPath::Entries)
        lists.listEntries(operations_.back());
      notePlaces(operation);
    }
    own_ = CompiledKernels(bundle, options.own);
    scratch_.resize(threads);
    for (CpuSeat<T> &seat : seats_) {
      seat.args.kernels = &kernels_;
      seat.args.signedValues = bundle.signedValues;
      seat.ranges.resize(threads);
    }
  }

  std::string deviceName() const override {
    std::string name = HostExecutor::deviceName();
    name.insert(name.size() - 1, compiledCountText(own_.count(), own_.failed(), own_.note()));
    return name;
  }

private:
  void notePlaces(const BundleOperation &operation) {
    firstPlace_.push_back(static_cast<uint32_t>(places_.size()));
    for (size_t s = 0; s < operation.slotCount(); ++s) {
      const BundleAccess &access = operation.slot(s);
      places_.push_back({access.buffer.value, !access.sliceStridesElems.empty()});
    }
  }

  double operationNs(uint32_t index) const override {
    constexpr double kEntryNs = 1, kFixedNs = 40; // measured
    const CpuOperation &op = operations_[index];
    if (bundle_.forcedLog)
      return termsNs(op, kLogTermNs);
    return op.path == CpuPath::Entries ? kFixedNs + termsNs(op, kEntryNs) : op.timeNs;
  }

  Ran ran(uint32_t, size_t seat) const override {
    return {seats_[seat].path, seats_[seat].runsLog()};
  }

  size_t beginOperation(uint32_t index, size_t seatIndex) override {
    CpuSeat<T> &seat = seats_[seatIndex];
    const CpuOperation &op = operations_[index];
    const TablePlace *const places = places_.data() + firstPlace_[index];
    const size_t count = op.operandCount;
    seat.tables = &tablesOf(seatIndex);
    seat.index = index;
    seat.args.op = &op;
    seat.args.log = false;
    seat.args.shift = 0;
    seat.path = cpuPathName(op.path);
    std::array<TableState, kMaxBundleOperands> states;
    bool zero = false, anyLog = bundle_.forcedLog;
    int64_t scale = 0;
    for (size_t i = 0; i < count; ++i) {
      states[i] = seat.tables->states[places[i].buffer];
      zero |= states[i].allZero();
      anyLog |= states[i].form != 0;
      scale += states[i].scale;
    }
    if (op.scaled && zero) {
      writeZeros(seat);
      return 0;
    }
    const std::span<const TableState> operands(states.data(), count);
    if (op.scaled) {
      seat.args.log = anyLog || !linearIsExact(operands, op.termsLog2, bundle_.type);
      seat.args.shift = seat.args.log ? logShift(operands, bundle_.operations[index].name)
                                      : linearShift(operands);
      seat.scale = scale + seat.args.shift;
    }
    setOperands(seat, places, operands);
    seat.compiled = nullptr;
    if (const CompiledKernels::Kernel own = own_.of(index);
        own.function != nullptr && !seat.args.log) {
      seat.compiled = own.function;
      seat.path = "compiled";
      seat.steps = own.pieces;
      return divide(seat, termsNs(op, kLinearTermNs));
    }
    if (op.path != CpuPath::Entries)
      return divideRows(seat);
    // Small operations, the most frequent ones, run at once.
    seat.range = {};
    runEntries(seat.args, seat.range);
    noteResult(seat, seat.range);
    return 0;
  }

  void setOperands(CpuSeat<T> &seat, const TablePlace *places,
                   std::span<const TableState> operands) {
    RunArgs<T> &args = seat.args;
    const BundleOperation &operation = bundle_.operations[seat.index];
    const size_t count = operands.size();
    for (size_t i = 0; i < count; ++i)
      args.entries[i] = places[i].moves ? entriesOf<T>(*seat.tables, operation.operands[i])
                                        : entriesOfBuffer(seat, places[i].buffer);
    args.result = entriesOfBuffer(seat, places[count].buffer);
    args.resultSigns = nullptr;
    if (!args.log)
      return;
    for (size_t i = 0; i < count; ++i) {
      args.states[i] = operands[i];
      args.isLog[i] = operands[i].form != 0;
      args.signs[i] = args.isLog[i] && bundle_.signedValues
                          ? tables_.signsOf(*seat.tables, operation.operands[i].buffer) +
                                sliceOffsetElems(operation.operands[i], seat.tables->slice)
                          : nullptr;
    }
    if (bundle_.signedValues)
      args.resultSigns = tables_.signsOf(*seat.tables, operation.result.buffer);
  }

  size_t divideRows(CpuSeat<T> &seat) {
    const CpuOperation &op = *seat.args.op;
    const bool log = seat.args.log;
    const bool tiles =
        log ? op.tiles != nullptr && tilesRunLogs(seat.args) : op.path == CpuPath::Tiles;
    seat.path = cpuPathName(tiles ? CpuPath::Tiles : CpuPath::Rows);
    seat.rows = tiles ? runTiles<T> : log ? runLogRows<T> : runRows<T>;
    seat.steps = tiles ? op.tiles->pageCount : op.rows->outerCount;
    return divide(seat, tiles ? op.tiles->timeNs : termsNs(op, log ? kLogTermNs : kLinearTermNs));
  }

  size_t divide(CpuSeat<T> &seat, double timeNs) {
    seat.parts = partsOf(seat.steps, timeNs);
    seat.stepNs = timeNs / static_cast<double>(std::max<uint64_t>(seat.steps, 1));
    seat.range = {};
    if (seat.parts > 1)
      std::fill(seat.ranges.begin(), seat.ranges.end(), WrittenRange<T>{});
    return seat.parts;
  }

  void runPart(size_t seatIndex, size_t part, size_t parts, size_t worker) override {
    CpuSeat<T> &seat = seats_[seatIndex];
    const auto [begin, end] = stretchOf(seat.steps, part, parts);
    WrittenRange<T> range; // local: the ranges of threads share cache lines
    const auto run = [&](uint64_t first, uint64_t last) {
      if (seat.compiled != nullptr)
        runCompiled(seat.compiled, seat.args, first, last, range);
      else
        seat.rows(seat.args, first, last, scratchOf(worker), range);
    };
    forPieces(begin, end, seat.stepNs, run,
              [&](uint64_t steps) { addToShare(seat.index, steps, seat.steps); });
    (parts == 1 ? seat.range : seat.ranges[worker]).merge(range);
  }

  /// Returns the thread's scratch memory. The thread itself makes it at first use, so that it is
  /// near the thread's core. Programs that need one thread make none for the others.
  Scratch<T> &scratchOf(size_t worker) {
    if (!scratch_[worker])
      scratch_[worker].emplace(tiles_);
    return *scratch_[worker];
  }

  void endOperation(size_t seatIndex) override {
    CpuSeat<T> &seat = seats_[seatIndex];
    if (seat.parts > 1)
      for (const WrittenRange<T> &part : seat.ranges)
        seat.range.merge(part);
    noteResult(seat, seat.range);
  }

  static T *entriesOfBuffer(const CpuSeat<T> &seat, uint32_t buffer) {
    return reinterpret_cast<T *>(seat.tables->entries[buffer]);
  }

  TableState &resultState(const CpuSeat<T> &seat) const {
    return seat.tables
        ->states[places_[firstPlace_[seat.index] + seat.args.op->operandCount].buffer];
  }

  void writeZeros(CpuSeat<T> &seat) {
    const BufferId result = bundle_.operations[seat.index].result.buffer;
    std::fill_n(entriesOfBuffer(seat, result.value), bundle_.buffer(result).sizeElems, T{0});
    resultState(seat) = {};
  }

  void noteResult(CpuSeat<T> &seat, const WrittenRange<T> &range) {
    TableState &state = resultState(seat);
    if (!seat.args.op->scaled) {
      state = {0, 0, 0, 0};
      return;
    }
    const std::string &name = bundle_.operations[seat.index].name;
    const bool log = seat.args.log;
    const int32_t scale = checkedScale(seat.scale, name);
    if (range.least > range.greatest) {
      if (log) // all -infinity: the table is stored as zeros
        writeZeros(seat);
      state = {};
      return;
    }
    state.scale = scale;
    state.form = log ? 1 : 0;
    state.minExponent =
        log ? static_cast<int32_t>(std::floor(range.least)) : exponentOf(range.least);
    state.maxExponent =
        log ? static_cast<int32_t>(std::floor(range.greatest)) : exponentOf(range.greatest);
    if (log && !bundle_.forcedLog &&
        state.maxExponent - state.minExponent <= linearSpread(bundle_.type))
      returnToLinear(seat, state);
  }

  /// Returns the shift for operands in log form. linearShift is bounded, for linear tables only.
  static int32_t logShift(std::span<const TableState> operands, const std::string &name) {
    int64_t shift = 0;
    for (const TableState &state : operands)
      shift += int64_t{state.maxExponent} + 1;
    return checkedScale(shift, name);
  }

  /// Converts a table in log form whose range fits to linear form: entries become 2^(entry -
  /// maxExponent).
  void returnToLinear(const CpuSeat<T> &seat, TableState &state) {
    const BundleOperation &operation = bundle_.operations[seat.index];
    const BufferId id = operation.result.buffer;
    T *entries = seat.args.result;
    const int8_t *signs = bundle_.signedValues ? tables_.signsOf(*seat.tables, id) : nullptr;
    const uint64_t elems = bundle_.buffer(id).sizeElems;
    AbsRange<T> range;
    constexpr uint64_t kPiece = 4096;
    for (uint64_t i = 0; i < elems; i += kPiece) {
      const auto n = static_cast<size_t>(std::min(kPiece, elems - i));
      kernels_.exp2Shifted(entries + i, entries + i, static_cast<T>(state.maxExponent), n);
      if (signs != nullptr)
        for (size_t j = 0; j < n; ++j)
          entries[i + j] = signs[i + j] < 0 ? -entries[i + j] : entries[i + j];
      kernels_.finish(entries + i, entries + i, T{1}, n, &range);
    }
    state.scale = checkedScale(int64_t{state.scale} + state.maxExponent, operation.name);
    state.form = 0;
    state.minExponent = exponentOf(range.least);
    state.maxExponent = exponentOf(range.greatest);
  }

  const CpuKernels<T> &kernels_;
  std::vector<CpuOperation> operations_;
  std::vector<TablePlace> places_;   ///< operands, then the result, operation after operation
  std::vector<uint32_t> firstPlace_; ///< by operation
  std::vector<CpuSeat<T>> seats_;    ///< one per thread
  std::vector<std::optional<Scratch<T>>> scratch_; ///< by thread
  bool tiles_ = false;                             ///< true if some operation may run on tiles
  CompiledKernels own_;
};

} // namespace

std::unique_ptr<Executor> makeCpuExecutor(const Bundle &bundle, const CpuOptions &options) {
  const size_t threads = workersNow(threadCount(options.threads));
  std::unique_ptr<HostExecutor> executor;
  if (isIntegerType(bundle.type))
    executor = makeIntegerExecutor(bundle, threads, options.spread);
  else if (bundle.type == ElementType::F32)
    executor = std::make_unique<CpuExecutor<float>>(bundle, threads, options);
  else
    executor = std::make_unique<CpuExecutor<double>>(bundle, threads, options);
  executor->claimTables();
  return executor;
}

} // namespace mpf
