#include "codegen/specialise/form_shape.h"

#include <fmt/format.h>
#include <utility>

namespace mpf {

namespace {

class ShapeText {
public:
  ShapeText(Semiring semiring, const std::vector<Digit> &digits) : text_(semiringName(semiring)) {
    for (const Digit &digit : digits)
      text_ += fmt::format(" {}{}", digit.reduced ? "r" : "", digit.extent);
  }
  void add(const DigitAccess &table) {
    text_ += fmt::format(" t{}:", table.sizeElems);
    for (const uint64_t stride : table.stridesElems)
      text_ += fmt::format(" {}", stride);
    if (table.packed)
      text_ += " packed";
  }
  std::string &text() { return text_; }

private:
  std::string text_;
};

} // namespace

std::string shapeOf(const DigitForm &form) {
  ShapeText shape(form.semiring, form.digits);
  shape.add(form.result);
  for (size_t i = 0; i < form.operands.size(); ++i) {
    shape.add(form.operands[i]);
    for (size_t j = 0; j < i; ++j)
      if (form.operands[j].table == form.operands[i].table)
        shape.text() += fmt::format(" ={}", j);
  }
  return std::move(shape.text());
}

std::string shapeOf(const ChainForm &form) {
  ShapeText tables(form.semiring, form.digits);
  tables.add(form.message);
  tables.add(form.result);
  for (const DigitAccess &factor : form.factors)
    tables.add(factor);
  std::string &shape = tables.text();
  const auto number = [&shape](uint64_t value) { shape += fmt::format(" {}", value); };
  for (const ChainStep &step : form.steps) {
    shape += fmt::format(" s {} i", step.factorCount);
    for (const DigitId digit : step.introduced)
      number(digit.value);
    shape += " r";
    for (const DigitId digit : step.reduced)
      number(digit.value);
  }
  return std::move(shape);
}

DigitForm withoutVariables(DigitForm form) {
  for (Digit &digit : form.digits)
    digit.variables = {};
  return form;
}

} // namespace mpf
