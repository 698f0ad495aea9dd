#include "runtime/execute/integer/integer_executor.h"

#include "runtime/execute/cpu/split_work.h"
#include "runtime/execute/host/host_executor.h"
#include "runtime/execute/host/integer_tables.h"
#include "runtime/execute/integer/run_integers.h"

namespace mpf {

namespace {

/// A running operation.
template <class T> struct IntegerSeat {
  IntegerArgs<T> args;
  TableSet *tables = nullptr; ///< the tables that it works on
  uint32_t index = 0;
  std::vector<IntegerRange<T>> ranges; ///< one per thread
  size_t usedRanges = 0; ///< number of ranges that the operation uses: all, or the first
};

template <class T> class IntegerExecutor final : public HostExecutor {
public:
  IntegerExecutor(const Bundle &bundle, size_t threads, const SpreadOptions &spread)
      : HostExecutor(bundle, threads, spread, sizeof(T) == 8 ? "whole 64" : "whole 128"),
        seats_(threads) {
    for (const BundleOperation &operation : bundle.operations)
      operations_.push_back(prepareLoops(operation, false));
    for (IntegerSeat<T> &seat : seats_)
      seat.ranges.resize(threads);
  }

private:
  double operationNs(uint32_t index) const override {
    return termsNs(operations_[index], kIntegerTermNs);
  }

  size_t beginOperation(uint32_t index, size_t seat) override {
    const BundleOperation &operation = bundle_.operations[index];
    const CpuOperation &op = operations_[index];
    IntegerSeat<T> &own = seats_[seat];
    own.index = index;
    own.tables = &tablesOf(seat);
    IntegerArgs<T> &args = own.args;
    args.op = &op;
    args.result = reinterpret_cast<T *>(own.tables->entries[operation.result.buffer.index()]);
    std::array<TableState, kMaxBundleOperands> states;
    for (size_t i = 0; i < op.operandCount; ++i) {
      args.entries[i] = entriesOf<T>(*own.tables, operation.operands[i]);
      states[i] = own.tables->states[operation.operands[i].buffer.index()];
    }
    const bool sums = op.semiring == StoredSemiring::SumTimes;
    args.proven = integersCannotOverflow({states.data(), op.operandCount}, !op.scaled,
                                         sums ? op.termsLog2 : 0, bundle_.type);
    const size_t parts = partsOf(op.keptElems, operationNs(index));
    own.usedRanges = parts == 1 ? 1 : own.ranges.size();
    std::fill_n(own.ranges.begin(), own.usedRanges, IntegerRange<T>{});
    return parts;
  }

  void runPart(size_t seat, size_t part, size_t parts, size_t worker) override {
    IntegerSeat<T> &own = seats_[seat];
    const auto [begin, end] = stretchOf(own.args.op->keptElems, part, parts);
    IntegerRange<T> range;
    const double stepNs = operationNs(own.index) / static_cast<double>(own.args.op->keptElems);
    forPieces(
        begin, end, stepNs,
        [&](uint64_t first, uint64_t last) { runIntegers(own.args, first, last, range); },
        [&](uint64_t steps) { addToShare(own.index, steps, own.args.op->keptElems); });
    own.ranges[parts == 1 ? 0 : worker].merge(range);
  }

  void endOperation(size_t seat) override {
    const IntegerSeat<T> &own = seats_[seat];
    const BundleOperation &operation = bundle_.operations[own.index];
    IntegerRange<T> range;
    for (const IntegerRange<T> &part : std::span(own.ranges).first(own.usedRanges))
      range.merge(part);
    if (range.lost)
      failOverflow(operation.name, bundle_.type);
    own.tables->states[operation.result.buffer.index()] = integerState(range.least, range.greatest);
  }

  Ran ran(uint32_t, size_t seat) const override {
    return {seats_[seat].args.proven ? "whole" : "whole, checked", false};
  }

  std::vector<CpuOperation> operations_;
  std::vector<IntegerSeat<T>> seats_; ///< one per thread
};

} // namespace

std::unique_ptr<HostExecutor> makeIntegerExecutor(const Bundle &bundle, size_t threads,
                                                  const SpreadOptions &spread) {
  if (bundle.type == ElementType::U64)
    return std::make_unique<IntegerExecutor<uint64_t>>(bundle, threads, spread);
  return std::make_unique<IntegerExecutor<Uint128>>(bundle, threads, spread);
}

} // namespace mpf
