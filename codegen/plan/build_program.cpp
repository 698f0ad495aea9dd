#include "codegen/plan/build_program.h"

#include "codegen/plan/choose_order.h"
#include "codegen/plan/initial_program.h"
#include "codegen/plan/order_problem.h"
#include "codegen/plan/program_memory.h"
#include "dsl/support/error.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace mpf {

namespace {

std::string bytesText(uint64_t bytes) {
  return bytes < 1024 ? fmt::format("{} bytes", bytes)
                      : fmt::format("{} ({} bytes)", formatBytes(bytes), bytes);
}

/// The smallest peak of the orders tried so far.
class SmallestPeak {
public:
  void take(uint64_t bytes) { bytes_ = std::min(bytes_, bytes); }
  void takeLog2(double bits) { log2Bytes_ = std::min(log2Bytes_, bits); }
  /// Peaks of 2^62 bytes and more are known as logarithms only.
  std::string text() const {
    return bytes_ != UINT64_MAX ? bytesText(bytes_) : fmt::format("2^{:.1f} bytes", log2Bytes_);
  }

private:
  uint64_t bytes_ = UINT64_MAX;
  double log2Bytes_ = std::numeric_limits<double>::infinity();
};

void warnMemory(const TableProgram &program, uint64_t peakBytes, const PlanOptions &options,
                Diagnostics &diagnostics) {
  if (peakBytes > options.warnMemoryBytes)
    diagnostics.report(
        {Severity::Performance,
         {},
         fmt::format("query {} needs {} of memory", program.name, formatBytes(peakBytes)),
         {}});
}

} // namespace

TableProgram buildProgram(const Model &model, const Query &query, const PlanOptions &options,
                          Diagnostics &diagnostics, const PlanHooks &hooks) {
  const TableProgram initial = initialProgram(model, query, diagnostics);
  if (hooks.after)
    hooks.after({"initial-program", initial, true, 0});
  SmallestPeak smallest;
  for (const OrderChoice &order : chooseOrders(model, initial, options, diagnostics)) {
    if (order.log2Largest > kHopelessLog2Elems) { // refused before its buckets are built
      smallest.takeLog2(order.log2Largest + std::log2(elementBytes(options.type)));
      continue;
    }
    TableProgram program = runPlanPasses(initial, order, hooks);
    const uint64_t peakBytes = planMemory(program, options.type).peakBytes;
    if (peakBytes != UINT64_MAX && peakBytes <= options.maxMemoryBytes) {
      warnMemory(program, peakBytes, options, diagnostics);
      return program;
    }
    if (peakBytes != UINT64_MAX)
      smallest.take(peakBytes);
    else
      smallest.takeLog2(log2PeakBytes(program, options.type));
  }
  fail(ErrorKind::MemoryBound,
       "query {} needs at least {} of memory with the best order found, the bound is {}",
       query.name, smallest.text(),
       options.maxMemoryBytes == UINT64_MAX ? "2^64 bytes" : bytesText(options.maxMemoryBytes));
}

} // namespace mpf
