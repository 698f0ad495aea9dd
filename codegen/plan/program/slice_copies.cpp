#include "codegen/plan/program/slice_copies.h"

#include "codegen/plan/program/global_order.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

VarId addCopy(TableProgram &program, VarId original) {
  const VarId copy{program.variables.size()};
  ProgramVariable variable;
  variable.name = "copy(" + program.variables[original.index()].name + ")";
  variable.extent = program.variables[original.index()].extent;
  variable.copyOf = original;
  variable.unasked = program.variables[original.index()].unasked;
  ProgramTable identity;
  identity.name = variable.name;
  identity.scope = {original, copy}; // sorted like all scopes when the order is applied
  identity.isIdentity = true;
  program.variables.push_back(std::move(variable));
  identity.sizeElems = programElems(program, identity.scope);
  program.operations.front().operands.push_back(TableId{program.tables.size()});
  program.tables.push_back(std::move(identity));
  return copy;
}

} // namespace

std::vector<VarId> addSlicedCopies(TableProgram &program, std::vector<VarId> order,
                                   size_t slicedCount) {
  MPF_CHECK(program.operations.size() == 1, "copies are added to one operation, not {}",
            program.operations.size());
  MPF_CHECK(slicedCount <= order.size(), "{} sliced variables of {}", slicedCount, order.size());
  const bool posteriors = traitsOf(program.kind).outputs == QueryOutputs::Posteriors;
  std::vector<VarId> held; // copies of output variables
  for (size_t i = 0; i < slicedCount; ++i) {
    const VarId original = order[i];
    std::vector<VarId> &output = program.outputs.front().scope;
    const auto at = std::find(output.begin(), output.end(), original);
    if (posteriors) {
      order.push_back(addCopy(program, original));
      program.operations.front().reduced.push_back(order.back());
    } else if (at != output.end()) {
      *at = addCopy(program, original);
      held.push_back(*at);
      std::vector<VarId> &kept = program.tables[program.operations.front().result.index()].scope;
      const auto slot = std::find(kept.begin(), kept.end(), original);
      MPF_CHECK(slot != kept.end(), "output variable {} is not in the result", original);
      *slot = *at;
      program.operations.front().reduced.push_back(original);
    }
  }
  order.insert(order.begin() + static_cast<ptrdiff_t>(slicedCount), held.begin(), held.end());
  return order;
}

TableProgram withoutCopies(TableProgram program) {
  const auto isCopy = [&program](VarId id) { return program.variables[id.index()].copyOf.valid(); };
  std::erase_if(program.order, isCopy);
  for (ProgramTable &table : program.tables)
    std::erase_if(table.scope, isCopy);
  std::erase_if(program.variables, [](const ProgramVariable &v) { return v.copyOf.valid(); });
  return program;
}

bool allowsSlicedOutputs(Semiring semiring) { return addsTerms(semiring); }

} // namespace mpf
