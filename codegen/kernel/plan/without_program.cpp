#include "codegen/kernel/plan/without_program.h"

namespace mpf {

namespace {
void forgetVariables(std::vector<Digit> &digits) {
  for (Digit &digit : digits)
    digit.variables.clear();
}

void forgetTables(std::vector<DigitAccess> &accesses) {
  for (DigitAccess &access : accesses)
    access.table = TableId(0);
}
} // namespace

void forgetTables(DigitForm &form) {
  forgetVariables(form.digits);
  forgetTables(form.operands);
  form.result.table = TableId(0);
}

void forgetTables(ChainForm &form) {
  forgetVariables(form.digits);
  forgetTables(form.factors);
  form.message.table = form.result.table = TableId(0);
}

} // namespace mpf
