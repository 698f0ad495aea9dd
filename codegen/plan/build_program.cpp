#include "codegen/plan/build_program.h"

#include "codegen/plan/choose_order.h"
#include "codegen/plan/initial_program.h"
#include "codegen/plan/order_problem.h"
#include "codegen/plan/program_memory.h"
#include "dsl/source/text_error.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace mpf {

namespace {

/// The smallest peak of the plans tried so far.
class SmallestPeak {
public:
  void take(const TableProgram &program, uint64_t bytes, ElementType type) {
    bytes_ = std::min(bytes_, bytes);
    if (bytes == UINT64_MAX)
      takeLog2(log2PeakBytes(program, type));
  }
  void takeLog2(double bits) { log2Bytes_ = std::min(log2Bytes_, bits); }
  /// Peaks of 2^62 bytes and more are known as logarithms only.
  std::string text() const {
    return bytes_ != UINT64_MAX ? formatBytesExactly(bytes_)
                                : fmt::format("2^{:.1f} bytes", log2Bytes_);
  }

private:
  uint64_t bytes_ = UINT64_MAX;
  double log2Bytes_ = std::numeric_limits<double>::infinity();
};

void warnMemory(const TableProgram &program, const Query &query, uint64_t peakBytes,
                const PlanOptions &options, Diagnostics &diagnostics) {
  if (peakBytes > options.warnMemoryBytes)
    diagnostics.report(
        {Severity::Performance,
         query.place,
         fmt::format("query {} needs {} of memory", program.name, formatBytes(peakBytes)),
         {}});
}

/// Sums over signed values carry a sign plane beside every table (bundle.h).
bool hasSignedValues(const Model &model, const Query &query) {
  if (query.combine == Combine::Plus)
    return false;
  return std::any_of(query.factors.begin(), query.factors.end(), [&model](FactorId id) {
    const TableValues &values = model.factor(id).values;
    return values &&
           std::any_of(values->begin(), values->end(), [](double value) { return value < 0; });
  });
}

/// The ways to run the passes, dearest in memory first.
std::vector<PlanHooks> attempts(const PlanHooks &hooks) {
  std::vector<PlanHooks> list{hooks};
  const auto &off = hooks.offPasses;
  if (std::find(off.begin(), off.end(), "merge-operands") == off.end()) {
    list.push_back(hooks);
    list.back().offPasses.push_back("merge-operands");
  }
  return list;
}

} // namespace

TableProgram buildProgram(const Model &model, const Query &query, const PlanOptions &options,
                          Diagnostics &diagnostics, const PlanHooks &hooks) {
  const TableProgram initial = initialProgram(model, query, diagnostics);
  if (hooks.after)
    hooks.after({"initial-program", initial, true, 0});
  const bool isSigned = hasSignedValues(model, query);
  SmallestPeak smallest;
  const OrderChoices orders = chooseOrders(model, initial, options, diagnostics);
  if (hooks.searched)
    hooks.searched(orders.effort);
  for (const OrderChoice &order : orders.choices) {
    if (order.log2Largest > kHopelessLog2Elems) { // refused before its buckets are built
      smallest.takeLog2(order.log2Largest + std::log2(elementBytes(options.type)));
      continue;
    }
    for (const PlanHooks &attempt : attempts(hooks)) {
      TableProgram program = runPlanPasses(initial, order, attempt);
      const uint64_t peakBytes = planMemory(program, options.type, isSigned).peakBytes;
      if (peakBytes != UINT64_MAX && peakBytes <= options.maxMemoryBytes) {
        warnMemory(program, query, peakBytes, options, diagnostics);
        return program;
      }
      smallest.take(program, peakBytes, options.type);
    }
  }
  failAt(ErrorKind::MemoryBound, query.place,
         "query {} needs at least {} of memory with the best order found, the bound is {}",
         query.name, smallest.text(),
         options.maxMemoryBytes == UINT64_MAX ? "2^64 bytes"
                                              : formatBytesExactly(options.maxMemoryBytes));
}

} // namespace mpf
