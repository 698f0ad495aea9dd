#include "runtime/execute/integer/whole_executor.h"

#include "runtime/execute/cpu/split_work.h"
#include "runtime/execute/host/host_executor.h"
#include "runtime/execute/host/whole_tables.h"
#include "runtime/execute/integer/run_whole.h"

namespace mpf {

namespace {

template <class T> class WholeExecutor final : public HostExecutor {
public:
  WholeExecutor(const Bundle &bundle, size_t threads)
      : HostExecutor(bundle, threads, sizeof(T) == 8 ? "whole 64" : "whole 128"), ranges_(threads) {
    for (const BundleOperation &operation : bundle.operations)
      operations_.push_back(prepareLoops(operation, false));
  }

private:
  Ran runOperation(uint32_t index) override {
    const BundleOperation &operation = bundle_.operations[index];
    const CpuOperation &op = operations_[index];
    WholeArgs<T> args;
    args.op = &op;
    args.result = reinterpret_cast<T *>(memory(operation.result.buffer));
    std::array<TableState, kMaxBundleOperands> states;
    for (size_t i = 0; i < op.operandCount; ++i) {
      args.entries[i] = entriesOf<T>(operation.operands[i]);
      states[i] = states_[operation.operands[i].buffer.index()];
    }
    const bool sums = op.algebra == Algebra::SumTimes;
    args.proven = wholeCannotOverflow({states.data(), op.operandCount}, !op.scaled,
                                      sums ? op.termsLog2 : 0, bundle_.type);
    const WholeRange<T> range = execute(args);
    if (range.lost)
      failOverflow(operation.name, bundle_.type);
    states_[operation.result.buffer.index()] = wholeState(range.least, range.greatest);
    return {args.proven ? "whole" : "whole, checked", false};
  }

  WholeRange<T> execute(const WholeArgs<T> &args) {
    const CpuOperation &op = *args.op;
    const auto parts = static_cast<size_t>(std::min<uint64_t>(
        op.keptElems, partCount(termsNs(op, kWholeTermNs), pool_.threadCount())));
    std::fill(ranges_.begin(), ranges_.end(), WholeRange<T>{});
    share(parts, [&](size_t part, size_t worker) {
      const auto [begin, end] = partOf(op.keptElems, part, parts);
      runWhole(args, begin, end, ranges_[worker]);
    });
    WholeRange<T> range;
    for (const WholeRange<T> &other : ranges_)
      range.merge(other);
    return range;
  }

  std::vector<CpuOperation> operations_;
  std::vector<WholeRange<T>> ranges_; ///< one per thread
};

} // namespace

std::unique_ptr<HostExecutor> makeWholeExecutor(const Bundle &bundle, size_t threads) {
  if (bundle.type == ElementType::U64)
    return std::make_unique<WholeExecutor<uint64_t>>(bundle, threads);
  return std::make_unique<WholeExecutor<Uint128>>(bundle, threads);
}

} // namespace mpf
