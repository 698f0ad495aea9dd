// The lines of a lane program's text about tables that cases set, for its reader.
#pragma once

#include "codegen/bundle/lanes/lane_lines.h"
#include "dsl/support/expression/expression_text.h"

#include <memory>
#include <utility>
#include <vector>

namespace mpf {

/// Extends LaneLines; its member functions follow the same rules.
class LaneFormulaLines : protected LaneLines {
protected:
  using LaneLines::LaneLines;

  void readParameter() {
    const auto name = reader_.takeWord("the parameter's name");
    const auto value = name ? reader_.takeDouble("its value") : std::nullopt;
    if (!value)
      return;
    program_.formulas.params.push_back({*name, *value});
    if (!reader_.acceptLiteral("follows"))
      return;
    if (reader_.atEndOfLine())
      return error("an expression is due");
    readExpression(program_.formulas.params.back().derivation);
  }

  /// Values of the parameter before it.
  void readSweep() {
    if (program_.formulas.params.empty())
      return error("values of a sweep come after a line 'parameter'");
    while (ok() && !reader_.atEndOfLine())
      program_.formulas.params.back().swept.push_back(
          reader_.takeDouble("a value of the sweep").value_or(0));
  }

  /// takeEntries() gives the entries, which may be still to come.
  template <class TakeEntries> void readInput(const TakeEntries &takeEntries) {
    LaneInput input;
    const auto name = reader_.takeWord("the factor's name");
    if (!name)
      return;
    input.name = *name;
    input.conditional = reader_.acceptLiteral("conditional");
    input.defaults = takeEntries();
    if (!ok() || !reader_.takeLiteral("scope"))
      return;
    while (ok() && !reader_.atEndOfLine())
      if (const auto id = takeVariable())
        input.scope.push_back(*id);
    program_.inputs.push_back(std::move(input));
  }

  template <class TakeEntries> void readFormula(const TakeEntries &takeEntries) {
    CaseFormula table;
    const auto name = reader_.takeWord("the table's name");
    const auto row = name ? reader_.takeUnsignedKey("row", UINT32_MAX) : std::nullopt;
    if (!row)
      return;
    table.name = *name;
    table.rowElems = *row;
    table.isSoft = reader_.acceptLiteral("soft");
    auto formula = std::make_shared<TableFormula>();
    formula->values = takeEntries();
    if (!ok() || !reader_.takeLiteral("extents"))
      return;
    while (ok() && !reader_.atEndOfLine())
      formula->extents.push_back(
          static_cast<uint32_t>(reader_.takeUnsigned("an extent", UINT32_MAX - 1).value_or(0)));
    table.formula = formula;
    formulas_.push_back(std::move(formula));
    program_.formulas.tables.push_back(std::move(table));
  }

  void readPart() {
    if (formulas_.empty())
      return error("parts come after a line 'formula'");
    FormulaPart part;
    const auto begin = reader_.takeUnsigned("the first entry", UINT64_MAX - 1);
    const auto end = begin ? reader_.takeUnsigned("the end", UINT64_MAX - 1) : std::nullopt;
    if (!end)
      return;
    part.begin = *begin;
    part.end = *end;
    readExpression(part.expression);
    formulas_.back()->parts.push_back(std::move(part));
  }

  /// Sets CaseFormula::nonNegative from the lines 'varying'. The last of these lines are the tables
  /// of the formulas.
  void finishFormulas() {
    const std::vector<VaryingTable> &tables = program_.schema.tables;
    std::vector<CaseFormula> &formulas = program_.formulas.tables;
    if (formulas.size() > tables.size())
      return; // which is found to be wrong
    for (size_t f = 0; f < formulas.size(); ++f)
      formulas[f].nonNegative = tables[tables.size() - formulas.size() + f].nonNegative;
  }

private:
  /// The rest of the line.
  void readExpression(Expression &expression) {
    while (ok() && !reader_.atEndOfLine())
      readInstruction(expression);
  }

  void readInstruction(Expression &expression) {
    const auto word = reader_.takeWord("an operation");
    const std::optional<OpCode> code = word ? opCodeNamed(*word) : std::nullopt;
    if (!code)
      return error("no operation");
    Instruction instruction{*code, 0, 0};
    if (*code == OpCode::Constant)
      instruction.value = reader_.takeDouble("a number").value_or(0);
    else if (*code <= OpCode::Param)
      instruction.slot =
          static_cast<uint32_t>(reader_.takeUnsigned("a slot", UINT32_MAX).value_or(0));
    expression.code.push_back(instruction);
  }

  std::vector<std::shared_ptr<TableFormula>> formulas_; ///< those of the program
};

} // namespace mpf
