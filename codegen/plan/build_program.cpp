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

std::string peakText(double log2Bytes) {
  if (log2Bytes < 62)
    return formatBytes(static_cast<uint64_t>(std::exp2(log2Bytes)));
  return fmt::format("2^{:.1f} bytes", log2Bytes);
}

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
  double smallestLog2 = std::numeric_limits<double>::infinity();
  for (const OrderChoice &order : chooseOrders(model, initial, options, diagnostics)) {
    if (order.log2Largest > kHopelessLog2Elems) { // refused before its buckets are built
      smallestLog2 =
          std::min(smallestLog2, order.log2Largest + std::log2(elementBytes(options.type)));
      continue;
    }
    TableProgram program = runPlanPasses(initial, order, hooks);
    const uint64_t peakBytes = planMemory(program, options.type).peakBytes;
    if (peakBytes != UINT64_MAX && peakBytes <= options.maxMemoryBytes) {
      warnMemory(program, peakBytes, options, diagnostics);
      return program;
    }
    smallestLog2 =
        std::min(smallestLog2, peakBytes != UINT64_MAX ? std::log2(static_cast<double>(peakBytes))
                                                       : log2PeakBytes(program, options.type));
  }
  fail(ErrorKind::MemoryBound,
       "query {} needs at least {} of memory with the best order found, the bound is {}",
       query.name, peakText(smallestLog2),
       options.maxMemoryBytes == UINT64_MAX ? "2^64 bytes" : formatBytes(options.maxMemoryBytes));
}

} // namespace mpf
