#include "runtime/execute/integer/integer_executor.h"

#include "runtime/execute/cpu/split_work.h"
#include "runtime/execute/host/host_executor.h"
#include "runtime/execute/host/integer_tables.h"
#include "runtime/execute/integer/run_integers.h"

namespace mpf {

namespace {

template <class T> class IntegerExecutor final : public HostExecutor {
public:
  IntegerExecutor(const Bundle &bundle, size_t threads)
      : HostExecutor(bundle, threads, sizeof(T) == 8 ? "whole 64" : "whole 128"), ranges_(threads) {
    for (const BundleOperation &operation : bundle.operations)
      operations_.push_back(prepareLoops(operation, false));
  }

private:
  Ran runOperation(uint32_t index) override {
    const BundleOperation &operation = bundle_.operations[index];
    const CpuOperation &op = operations_[index];
    IntegerArgs<T> args;
    args.op = &op;
    args.result = reinterpret_cast<T *>(memory(operation.result.buffer));
    std::array<TableState, kMaxBundleOperands> states;
    for (size_t i = 0; i < op.operandCount; ++i) {
      args.entries[i] = entriesOf<T>(operation.operands[i]);
      states[i] = states_[operation.operands[i].buffer.index()];
    }
    const bool sums = op.semiring == StoredSemiring::SumTimes;
    args.proven = integersCannotOverflow({states.data(), op.operandCount}, !op.scaled,
                                         sums ? op.termsLog2 : 0, bundle_.type);
    const IntegerRange<T> range = execute(args);
    if (range.lost)
      failOverflow(operation.name, bundle_.type);
    states_[operation.result.buffer.index()] = integerState(range.least, range.greatest);
    return {args.proven ? "whole" : "whole, checked", false};
  }

  IntegerRange<T> execute(const IntegerArgs<T> &args) {
    const CpuOperation &op = *args.op;
    const auto parts = static_cast<size_t>(std::min<uint64_t>(
        op.keptElems, partCount(termsNs(op, kIntegerTermNs), pool_.threadCount())));
    std::fill(ranges_.begin(), ranges_.end(), IntegerRange<T>{});
    share(parts, [&](size_t part, size_t worker) {
      const auto [begin, end] = stretchOf(op.keptElems, part, parts);
      runIntegers(args, begin, end, ranges_[worker]);
    });
    IntegerRange<T> range;
    for (const IntegerRange<T> &other : ranges_)
      range.merge(other);
    return range;
  }

  std::vector<CpuOperation> operations_;
  std::vector<IntegerRange<T>> ranges_; ///< one per thread
};

} // namespace

std::unique_ptr<HostExecutor> makeIntegerExecutor(const Bundle &bundle, size_t threads) {
  if (bundle.type == ElementType::U64)
    return std::make_unique<IntegerExecutor<uint64_t>>(bundle, threads);
  return std::make_unique<IntegerExecutor<Uint128>>(bundle, threads);
}

} // namespace mpf
