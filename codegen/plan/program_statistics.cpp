#include "codegen/plan/program_statistics.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

double elems(const TableProgram &program, const std::vector<VarId> &scope) {
  double product = 1;
  for (const VarId id : scope)
    product *= program.variables[id.index()].extent;
  return product;
}

} // namespace

ProgramStatistics programStatistics(const TableProgram &program, ElementType type) {
  ProgramStatistics statistics;
  double largestTable = 0, largestAddress = 0, addresses = 0, ops = 0;
  for (const ProgramTable &table : program.tables)
    largestTable = std::max(largestTable, elems(program, table.scope));
  for (const Operation &operation : program.operations) {
    const std::vector<VarId> &kept = program.table(operation.result).scope;
    const double address = elems(program, kept) * elems(program, operation.reduced);
    const size_t variables = kept.size() + operation.reduced.size();
    statistics.inducedWidth = std::max(statistics.inducedWidth, variables == 0 ? 0 : variables - 1);
    largestAddress = std::max(largestAddress, address);
    addresses += address;
    ops += address *
           static_cast<double>(operation.operands.size() - 1 + (operation.reduced.empty() ? 0 : 1));
  }
  statistics.log2LargestTableElems = std::log2(largestTable);
  statistics.log2LargestAddressCount = std::log2(largestAddress);
  statistics.log2TotalAddressCount = std::log2(addresses);
  statistics.log2TotalOps = std::log2(ops);
  statistics.memory = planMemory(program, type);
  return statistics;
}

} // namespace mpf
