#include "codegen/specialise/form_shape.h"

#include "codegen/plan/order/parallel_tasks.h"

#include <fmt/format.h>
#include <map>

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

std::vector<KernelPlan> planKernels(std::span<const DigitForm> forms, const KernelOptions &options,
                                    unsigned threads) {
  std::map<std::string, size_t> known; // shape -> index into firsts
  std::vector<size_t> firsts, shapeNos;
  for (size_t i = 0; i < forms.size(); ++i) {
    const auto [at, isNew] = known.try_emplace(shapeOf(forms[i]), firsts.size());
    if (isNew)
      firsts.push_back(i);
    shapeNos.push_back(at->second);
  }
  std::vector<KernelPlan> distinct(firsts.size());
  runParallel(firsts.size(), threads, [&](size_t i) {
    distinct[i] = buildKernel(withoutVariables(forms[firsts[i]]), options);
  });
  std::vector<KernelPlan> plans;
  plans.reserve(forms.size());
  for (size_t i = 0; i < forms.size(); ++i) {
    plans.push_back(distinct[shapeNos[i]]);
    std::visit( // with its own variables and tables
        [&](auto &plan) {
          if constexpr (std::is_same_v<WorkOf<std::decay_t<decltype(plan)>>, DigitForm>)
            plan.form = forms[i];
        },
        plans.back());
  }
  return plans;
}

} // namespace mpf
