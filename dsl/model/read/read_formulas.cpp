#include "dsl/model/read/read_formulas.h"

#include "dsl/support/expression/expression_text.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace mpf {

void FormulaLines::readFormula() {
  const auto number = lines_.takeUnsigned("a formula number", UINT32_MAX);
  if (number && *number != formulas_.size())
    lines_.report("formula {} stands where formula {} is due", *number, formulas_.size());
  formulas_.push_back(std::make_shared<TableFormula>());
}

void FormulaLines::readPart(const Model &model) {
  FormulaPart part;
  const auto begin = lines_.takeUnsigned("the first entry", limits_.maxTableElems);
  const auto end =
      begin ? lines_.takeUnsigned("the end of the entries", limits_.maxTableElems) : std::nullopt;
  if (!end)
    return;
  if (formulas_.empty() || formulas_.back()->values)
    return lines_.report("'part' without a formula before it");
  part.begin = *begin;
  part.end = *end;
  if (takeExpression(model, part.expression))
    formulas_.back()->parts.push_back(std::move(part));
}

bool FormulaLines::takeExpression(const Model &model, Expression &expression) {
  while (!lines_.atEndOfLine()) {
    const std::string word = *lines_.takeWord("an operation");
    const std::optional<OpCode> code = opCodeNamed(word);
    if (!code) {
      lines_.report("'{}' is no operation", std::string_view(word).substr(0, 60));
      return false;
    }
    Instruction instruction{*code, 0, 0};
    if (*code == OpCode::Constant) {
      const auto value = lines_.takeDouble("a number");
      if (!value)
        return false;
      instruction.value = *value;
    } else if (*code <= OpCode::Param && !takeSlot(model, instruction)) {
      return false;
    }
    expression.code.push_back(instruction);
  }
  return true;
}

bool FormulaLines::takeSlot(const Model &model, Instruction &instruction) {
  if (instruction.code == OpCode::State) {
    const auto place = lines_.takeUnsigned("a place in the scope", UINT32_MAX);
    instruction.slot = static_cast<uint32_t>(place.value_or(0));
    return place.has_value();
  }
  const auto name = lines_.takeWord("a param name");
  if (!name)
    return false;
  for (size_t slot = slotsKnown_; slot < model.params.size(); ++slot)
    slotOf_.try_emplace(model.params[slot].name, static_cast<uint32_t>(slot));
  slotsKnown_ = model.params.size();
  const auto found = slotOf_.find(*name);
  if (found == slotOf_.end()) {
    lines_.report("no param is called '{}'", std::string_view(*name).substr(0, 60));
    return false;
  }
  instruction.slot = found->second;
  return true;
}

void FormulaLines::readFollows(const Model &model, Factor *owner) {
  const auto number = lines_.takeUnsigned("a formula number", UINT32_MAX);
  if (!number)
    return;
  if (*number >= formulas_.size() || owner == nullptr || !storedValues(*owner))
    return lines_.report("formula {} of {} so far, for a factor with values", *number,
                         formulas_.size());
  Factor &factor = *owner;
  TableFormula &formula = *formulas_[*number];
  if (!formula.values) {
    formula.values = storedValues(factor);
    for (const VarId id : factor.scope)
      formula.extents.push_back(model.variable(id).extent);
  }
  factor.formula = formulas_[*number];
}

} // namespace mpf
