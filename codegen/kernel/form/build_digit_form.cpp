#include "codegen/kernel/form/build_digit_form.h"

#include "codegen/kernel/form/split_k_form.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/split_k.h"
#include "codegen/plan/program/storage_order.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/merge_digits.h"

#include <algorithm>

namespace mpf {

namespace {
uint64_t strideInTable(const TableProgram &program, std::span<const VarId> storage,
                       VarId variable) {
  uint64_t stride = 1;
  for (size_t i = storage.size(); i-- > 0;) {
    if (storage[i] == variable)
      return stride;
    stride = saturatingMul(stride, program.variables[storage[i].index()].extent);
  }
  return 0;
}
} // namespace

DigitAccess digitAccess(const TableProgram &program, TableId tableId,
                        const std::vector<Digit> &digits) {
  std::vector<VarId> other; // than the scope's: most tables are stored in the order of their scope
  std::span<const VarId> storage = program.table(tableId).scope;
  if (!program.table(program.stored(tableId)).layout.empty())
    storage = other = storageOrder(program, tableId);
  DigitAccess access{
      tableId, {}, sliceElems(program, storage), program.table(program.stored(tableId)).packed};
  access.stridesElems.reserve(digits.size());
  for (const Digit &digit : digits) {
    MPF_CHECK(digit.variables.size() == 1, "a digit of {} variables where each has one",
              digit.variables.size());
    access.stridesElems.push_back(strideInTable(program, storage, digit.variables.front()));
  }
  return access;
}

DigitForm buildDigitForm(const TableProgram &program, OpId id, bool merge) {
  const Operation &operation = program.operation(id);
  DigitForm form;
  form.semiring = operation.semiring;
  const auto addDigit = [&](VarId variable, bool reduced) {
    const uint64_t extent = program.variables[variable.index()].extent;
    if (extent != 1 && !program.variables[variable.index()].sliced)
      form.digits.push_back({extent, reduced, {variable}});
  };
  const std::vector<VarId> kept = storageOrder(program, operation.result);
  form.digits.reserve(kept.size() + operation.reduced.size());
  for (VarId variable : kept)
    addDigit(variable, false);
  for (VarId variable : operation.reduced)
    addDigit(variable, true);

  form.operands.reserve(operation.operands.size());
  for (TableId operand : operation.operands)
    form.operands.push_back(digitAccess(program, operand, form.digits));
  form.result = digitAccess(program, operation.result, form.digits);
  if (const uint32_t splits = program.table(operation.result).splits; splits > 1)
    form = partialForm(form, splits);
  if (const uint32_t splits = splitsRead(program, operation); splits > 1) {
    const DigitAccess part = form.operands[0]; // its storage order differs from the whole result's
    form = addingForm(form, splits);
    MPF_CHECK(part.stridesElems.size() <= form.operands[0].stridesElems.size(),
              "operation {} adds up splits over {} digits, they have {}", id,
              form.operands[0].stridesElems.size(), part.stridesElems.size());
    form.operands[0].table = part.table;
    std::copy(part.stridesElems.begin(), part.stridesElems.end(),
              form.operands[0].stridesElems.begin());
  }
  if (merge)
    mergeDigits(form);
  const std::string fault = findFault(form);
  MPF_CHECK(fault.empty(), "operation {}: {}", id, fault);
  return form;
}

} // namespace mpf
