#include "tools/mpf-bench/lanes/case_floor.h"

#include "codegen/kernel/cost/floor.h"
#include "dsl/support/cases/case_block.h"
#include "dsl/support/query_traits.h"

#include <algorithm>

namespace mpf::bench {

namespace {

double operationsOf(const LaneOperation &operation) {
  const double products = static_cast<double>(operation.operands.size()) - 1;
  const double sums = operation.reducedAddresses() > 1 ? 1 : 0;
  return operation.addressesApproximately() * (products + sums);
}

} // namespace

double CaseFloor::seconds() const {
  return std::max({bytesSeconds, arithmeticSeconds, rowsSeconds});
}

std::string CaseFloor::bound() const {
  const double longest = seconds();
  if (longest == 0)
    return {};
  return longest == bytesSeconds ? "bytes" : longest == arithmeticSeconds ? "arithmetic" : "rows";
}

uint64_t caseBytes(const LaneProgram &program, ElementType type) {
  uint64_t bytes = program.schema.observed.size() * codeBytesFor(program.schema) +
                   program.schema.weightCount() * elementBytes(type);
  for (const LaneOutput &output : program.outputs)
    bytes += output.sizeElems() * elementBytes(type);
  if (traitsOf(program.kind).decoding)
    bytes += program.variables.size() * sizeof(uint32_t);
  return bytes;
}

CaseFloor caseFloor(const LaneProgram &program, ElementType type, uint64_t rows,
                    const Target &target, unsigned cores) {
  double operations = 0, picked = 0;
  for (const LaneStep &step : program.steps)
    if (const auto *gather = std::get_if<LaneGather>(&step))
      picked += static_cast<double>(program.tables[gather->message].sizeElems);
    else
      operations += operationsOf(std::get<LaneOperation>(step));
  const double cases = static_cast<double>(rows);
  const FloorTerms terms = floorTerms(cases * static_cast<double>(caseBytes(program, type)),
                                      cases * operations, type, target);
  CaseFloor floor{terms.bytesUs * 1e-6, terms.arithmeticUs * 1e-6 / cores, 0};
  if (target.sharedBanks > 1) {
    const double bytesPerUs =
        target.clockGhz * 1e3 * target.smCount * target.sharedBanks * target.bankBytes;
    floor.rowsSeconds = cases * picked * elementBytes(type) / bytesPerUs * 1e-6;
  }
  return floor;
}

} // namespace mpf::bench
