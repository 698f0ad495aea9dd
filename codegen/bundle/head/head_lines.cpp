#include "codegen/bundle/head/head_lines.h"

#include "dsl/support/expression/expression_text.h"
#include "dsl/support/text/call_for_word.h"

#include <string_view>
#include <utility>

namespace mpf {

void HeadLines::readHeadLine() {
  const auto name = reader_.takeWord("the program's name");
  const auto kind = name ? reader_.takeWord("a kind of query") : std::nullopt;
  const auto known = kind ? queryKindNamed(*kind) : std::nullopt;
  if (kind && !known)
    error("no kind of query");
  const auto type = known ? reader_.takeWord("an element type") : std::nullopt;
  const auto element = type ? elementTypeNamed(*type) : std::nullopt;
  if (type && !element)
    error("no element type: expected f32, f64, u64 or u128");
  if (!element)
    return;
  head_.name = *name;
  head_.kind = *known;
  head_.type = *element;
}

bool HeadLines::readLine() {
  using Read = void (HeadLines::*)();
  constexpr std::pair<std::string_view, Read> kLines[] = {
      {"variable", &HeadLines::readVariable},   {"observed", &HeadLines::readObserved},
      {"auxiliary", &HeadLines::readVariable},  {"likelihood", &HeadLines::readLikelihood},
      {"unasked", &HeadLines::readVariable},    {"param", &HeadLines::readParam},
      {"varying", &HeadLines::readVarying},     {"input", &HeadLines::readInput},
      {"parameter", &HeadLines::readParameter}, {"sweep", &HeadLines::readSweep},
      {"formula", &HeadLines::readFormula},     {"part", &HeadLines::readPart},
      {"entries", &HeadLines::readEntries}};
  return callForWord(kLines, reader_.keyword().text, *this);
}

void HeadLines::finishHead() {
  for (CaseInput &input : head_.caseInputs)
    if (input.defaults != nullptr && input.defaults->empty()) // a case gives all entries
      input.defaults = nullptr;
  finishFormulas();
  head_.evidence.add(std::move(observations_));
  for (Finding &finding : head_.evidence.findings)
    finding.fixed = isFixed_[finding.variable.index()] != 0;
}

std::optional<VarId> HeadLines::takeVariable() {
  if (head_.variables.empty()) {
    error("there is no variable yet");
    return std::nullopt;
  }
  const auto number = reader_.takeUnsigned("variable", head_.variables.size() - 1);
  return number ? std::optional(VarId{static_cast<size_t>(*number)}) : std::nullopt;
}

std::shared_ptr<const std::vector<double>> HeadLines::takeEntries() {
  entries_ = nullptr;
  if (!reader_.acceptLiteral("stored"))
    return entries_ = std::make_shared<std::vector<double>>();
  if (nextStored_ != stored_.size())
    return stored_[nextStored_++];
  error("these values are stored, and there is no table for them");
  return nullptr;
}

void HeadLines::readVariable() {
  const auto name = reader_.takeWord("the variable's name");
  const auto extent = name ? reader_.takeUnsignedKey("extent", kMost32) : std::nullopt;
  if (!extent)
    return;
  HeadVariable variable{*name, static_cast<uint32_t>(*extent), {}};
  bool labels = reader_.acceptLiteral("labels");
  if (!labels && !reader_.atEndOfLine()) {
    if (!readFinding())
      return;
    labels = reader_.acceptLiteral("labels");
  } else {
    isFixed_.push_back(0);
  }
  while (labels && ok() && !reader_.atEndOfLine())
    variable.labels.push_back(reader_.takeWord("a label").value_or(""));
  variable.auxiliary = reader_.keyword().text == "auxiliary";
  variable.unasked = reader_.keyword().text == "unasked";
  head_.variables.push_back(std::move(variable));
}

bool HeadLines::readFinding() {
  const bool isFree = reader_.nextHasKey("observed");
  const auto state = reader_.takeUnsignedKey(isFree ? "observed" : "fixed", kMost32);
  if (!state)
    return false;
  observations_.push_back({VarId{head_.variables.size()}, static_cast<uint32_t>(*state)});
  isFixed_.push_back(isFree ? 0 : 1);
  return true;
}

void HeadLines::readColumn(std::vector<CaseVariable> &columns) {
  if (const auto id = takeVariable())
    columns.push_back({*id, extentOf(*id)});
}

void HeadLines::readParam() {
  if (const auto name = reader_.takeWord("the param's name"))
    head_.schema.params.push_back(*name);
}

void HeadLines::readVarying() {
  const auto elems = reader_.takeUnsignedKey("elems", UINT64_MAX - 1);
  const bool nonNegative = reader_.acceptLiteral("non-negative");
  if (elems)
    head_.schema.tables.push_back({{}, *elems, nonNegative});
}

void HeadLines::readEntries() {
  if (entries_ == nullptr)
    return error("entries come after a line 'values', 'input' or 'formula'");
  while (ok() && !reader_.atEndOfLine())
    entries_->push_back(reader_.takeDouble("an entry").value_or(0));
}

void HeadLines::readParameter() {
  const auto name = reader_.takeWord("the parameter's name");
  const auto value = name ? reader_.takeDouble("its value") : std::nullopt;
  if (!value)
    return;
  head_.formulas.params.push_back({*name, *value});
  if (!reader_.acceptLiteral("follows"))
    return;
  if (reader_.atEndOfLine())
    return error("an expression is due");
  readExpression(head_.formulas.params.back().derivation);
}

void HeadLines::readSweep() {
  if (head_.formulas.params.empty())
    return error("values of a sweep come after a line 'parameter'");
  while (ok() && !reader_.atEndOfLine())
    head_.formulas.params.back().swept.push_back(
        reader_.takeDouble("a value of the sweep").value_or(0));
}

void HeadLines::readInput() {
  CaseInput input;
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
  head_.caseInputs.push_back(std::move(input));
}

void HeadLines::readFormula() {
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
  head_.formulas.tables.push_back(std::move(table));
}

void HeadLines::readPart() {
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

void HeadLines::finishFormulas() {
  const std::vector<VaryingTable> &tables = head_.schema.tables;
  std::vector<CaseFormula> &formulas = head_.formulas.tables;
  if (formulas.size() > tables.size())
    return; // which is found to be wrong
  for (size_t f = 0; f < formulas.size(); ++f)
    formulas[f].nonNegative = tables[tables.size() - formulas.size() + f].nonNegative;
}

void HeadLines::readExpression(Expression &expression) {
  while (ok() && !reader_.atEndOfLine()) {
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
}

} // namespace mpf
