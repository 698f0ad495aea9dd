#include "codegen/kernel/build/name_kernel.h"

#include "dsl/support/hash.h"

#include <fmt/format.h>

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

std::string nameOfText(std::string_view family, const std::string &text) {
  const Hash128 hash = HashBuilder().add(text).finish();
  return fmt::format("{}_{}", family, hash.hex().substr(0, 16));
}

} // namespace mpf
