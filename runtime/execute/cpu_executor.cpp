#include "runtime/execute/cpu_executor.h"

#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/execute/compiled/compiled_kernels.h"
#include "runtime/execute/compiled/run_compiled.h"
#include "runtime/execute/cpu/cpu_run.h"
#include "runtime/execute/cpu/prepare_operation.h"
#include "runtime/execute/cpu/split_work.h"
#include "runtime/execute/host/host_executor.h"
#include "runtime/execute/host/worker_memory.h"
#include "runtime/execute/integer/integer_executor.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace mpf {

namespace {

int32_t checkedScale(int64_t scale, const std::string &operation) {
  if (scale != static_cast<int32_t>(scale))
    fail(ErrorKind::Unsupported, "operation {}: values near 2^{} are beyond any scale", operation,
         scale);
  return static_cast<int32_t>(scale);
}

template <class T> class CpuExecutor final : public HostExecutor {
public:
  CpuExecutor(const Bundle &bundle, size_t threads, const CompiledKernelOptions &own)
      : HostExecutor(bundle, threads, cpuKernels<T>().name), kernels_(cpuKernels<T>()),
        ranges_(threads) {
    operations_.reserve(bundle.operations.size());
    bool tiles = false;
    for (const BundleOperation &operation : bundle.operations) {
      operations_.push_back(
          prepareOperation(operation, bundle.logInputs, tileTarget(kernels_, threads)));
      tiles |= operations_.back().tiles != nullptr;
    }
    own_ = CompiledKernels(bundle, own);
    scratch_.reserve(threads);
    for (size_t i = 0; i < threads; ++i)
      scratch_.emplace_back(tiles);
  }

  std::string deviceName() const override {
    std::string name = HostExecutor::deviceName();
    if (own_.count() > 0)
      name.insert(name.size() - 1, fmt::format(", {} compiled", own_.count()));
    if (own_.failed() > 0)
      name.insert(name.size() - 1,
                  fmt::format(", {} not compiled: {}", own_.failed(), own_.note()));
    return name;
  }

private:
  Ran runOperation(uint32_t index) override {
    compute(index);
    return {ranPath_, ranLog_};
  }

  void compute(uint32_t index) {
    const BundleOperation &operation = bundle_.operations[index];
    const CpuOperation &op = operations_[index];
    std::array<TableState, kMaxBundleOperands> states;
    const size_t count = op.operandCount;
    bool zero = false, anyLog = bundle_.forcedLog;
    int64_t scale = 0;
    for (size_t i = 0; i < count; ++i) {
      states[i] = states_[operation.operands[i].buffer.index()];
      zero |= states[i].allZero();
      anyLog |= states[i].form != 0;
      scale += states[i].scale;
    }
    ranLog_ = false;
    TableState &state = states_[operation.result.buffer.index()];
    ranPath_ = cpuPathName(op.path);
    if (!op.scaled) {
      execute(index, false, 0);
      state = {0, 0, 0, 0};
      return;
    }
    if (zero) {
      const uint64_t elems = bundle_.buffer(operation.result.buffer).sizeElems;
      std::fill_n(reinterpret_cast<T *>(memory(operation.result.buffer)), elems, T{0});
      state = {};
      return;
    }
    const std::span<const TableState> operands(states.data(), count);
    const bool linear = !anyLog && linearIsExact(operands, op.termsLog2, bundle_.type);
    const int32_t shift = linear ? linearShift(operands) : logShift(operands, operation.name);
    ranLog_ = !linear;
    const WrittenRange<T> range = execute(index, ranLog_, shift);
    state = {checkedScale(scale + shift, operation.name), 0, 0, linear ? 0 : 1};
    if (range.least > range.greatest) {
      if (!linear) // all -infinity; zeros again
        std::fill_n(reinterpret_cast<T *>(memory(operation.result.buffer)),
                    bundle_.buffer(operation.result.buffer).sizeElems, T{0});
      state = {};
      return;
    }
    state.minExponent =
        linear ? std::ilogb(range.least) : static_cast<int32_t>(std::floor(range.least));
    state.maxExponent =
        linear ? std::ilogb(range.greatest) : static_cast<int32_t>(std::floor(range.greatest));
    if (!linear && !bundle_.forcedLog &&
        state.maxExponent - state.minExponent <= linearSpread(bundle_.type))
      returnToLinear(operation, state);
  }

  /// As linearShift, which is bounded for linear tables only.
  static int32_t logShift(std::span<const TableState> operands, const std::string &name) {
    int64_t shift = 0;
    for (const TableState &state : operands)
      shift += int64_t{state.maxExponent} + 1;
    return checkedScale(shift, name);
  }

  WrittenRange<T> execute(uint32_t index, bool log, int32_t shift) {
    const BundleOperation &operation = bundle_.operations[index];
    const CpuOperation &op = operations_[index];
    const CompiledKernels::Kernel own = log ? CompiledKernels::Kernel{} : own_.of(index);
    RunArgs<T> args;
    args.op = &op;
    args.kernels = &kernels_;
    for (size_t i = 0; i < op.operandCount; ++i) {
      const BufferId id = operation.operands[i].buffer;
      args.entries[i] = this->template entriesOf<T>(operation.operands[i]);
      args.isLog[i] = states_[id.index()].form != 0;
      args.states[i] = states_[id.index()];
      args.signs[i] = args.isLog[i] && bundle_.signedValues
                          ? signsOf(id) + sliceOffsetElems(operation.operands[i], slice_)
                          : nullptr;
    }
    args.result = reinterpret_cast<T *>(memory(operation.result.buffer));
    args.signedValues = bundle_.signedValues;
    args.resultSigns = log && bundle_.signedValues ? signsOf(operation.result.buffer) : nullptr;
    args.log = log;
    args.shift = shift;

    std::fill(ranges_.begin(), ranges_.end(), WrittenRange<T>{});
    const bool tiles = log ? op.tiles != nullptr && tilesRunLogs(args) : op.path == CpuPath::Tiles;
    if (op.path != CpuPath::Entries)
      ranPath_ = cpuPathName(tiles ? CpuPath::Tiles : CpuPath::Rows);
    const auto partsOf = [&](uint64_t steps, double timeNs) {
      return static_cast<size_t>(std::min<uint64_t>(steps, partCount(timeNs, pool_.threadCount())));
    };
    if (own.function != nullptr) {
      ranPath_ = "compiled";
      const size_t parts = partsOf(own.pieces, termsNs(op, kLinearTermNs));
      share(parts, [&](size_t part, size_t worker) {
        const auto [begin, end] = stretchOf(own.pieces, part, parts);
        runCompiled(own.function, args, begin, end, ranges_[worker]);
      });
    } else if (op.path == CpuPath::Entries) {
      runEntries(args, ranges_[0]);
    } else {
      const uint64_t steps = tiles ? op.tiles->pageCount : op.rows->outerCount;
      const double timeNs =
          tiles ? op.tiles->timeNs : termsNs(op, log ? kLogTermNs : kLinearTermNs);
      const size_t parts = partsOf(steps, timeNs);
      const auto run = tiles ? runTiles<T> : log ? runLogRows<T> : runRows<T>;
      share(parts, [&](size_t part, size_t worker) {
        const auto [begin, end] = stretchOf(steps, part, parts);
        run(args, begin, end, scratch_[worker], ranges_[worker]);
      });
    }
    WrittenRange<T> range = ranges_[0];
    for (const WrittenRange<T> &other : ranges_)
      range.merge(other);
    return range;
  }

  /// The table's range fits: entries become 2^(entry - maxExponent).
  void returnToLinear(const BundleOperation &operation, TableState &state) {
    const BufferId id = operation.result.buffer;
    T *entries = reinterpret_cast<T *>(memory(id));
    const int8_t *signs = bundle_.signedValues ? signsOf(id) : nullptr;
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
    state.minExponent = std::ilogb(range.least);
    state.maxExponent = std::ilogb(range.greatest);
  }

  const CpuKernels<T> &kernels_;
  std::vector<CpuOperation> operations_;
  std::vector<WrittenRange<T>> ranges_; ///< one per thread
  std::vector<Scratch<T>> scratch_;     ///< one per thread
  bool ranLog_ = false;
  const char *ranPath_ = ""; ///< by the last operation
  CompiledKernels own_;
};

} // namespace

std::unique_ptr<Executor> makeCpuExecutor(const Bundle &bundle, const CpuOptions &options) {
  const size_t threads = workersNow(threadCount(options.threads));
  std::unique_ptr<HostExecutor> executor;
  if (isIntegerType(bundle.type))
    executor = makeIntegerExecutor(bundle, threads);
  else if (bundle.type == ElementType::F32)
    executor = std::make_unique<CpuExecutor<float>>(bundle, threads, options.own);
  else
    executor = std::make_unique<CpuExecutor<double>>(bundle, threads, options.own);
  executor->claimTables();
  return executor;
}

} // namespace mpf
