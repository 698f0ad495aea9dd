#include "tools/mpfc/compile/column_map.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cstring>

namespace mpf::driver {

namespace {

bool areSame(const std::vector<CaseVariable> &a, const std::vector<CaseVariable> &b) {
  return std::ranges::equal(a, b, {}, &CaseVariable::variable, &CaseVariable::variable);
}

void requireColumns(const std::vector<CaseVariable> &from, const std::vector<CaseVariable> &to,
                    bool areLikelihoods) {
  for (const CaseVariable &column : from)
    if (std::ranges::find(to, column.variable, &CaseVariable::variable) == to.end())
      throw MissingColumn{column.variable, areLikelihoods};
}

} // namespace

ColumnMap::ColumnMap(const CaseSchema &from, const ProgramHead &program) : schema_(program.schema) {
  const CaseSchema &to = program.schema;
  requireColumns(from.observed, to.observed, false);
  requireColumns(from.likelihoods, to.likelihoods, true);
  for (const CaseVariable &column : to.observed) {
    const auto at = std::ranges::find(from.observed, column.variable, &CaseVariable::variable);
    codes_.push_back(at == from.observed.end() ? kNone
                                               : static_cast<size_t>(at - from.observed.begin()));
  }
  for (const CaseVariable &column : to.likelihoods) {
    const auto at = std::ranges::find(from.likelihoods, column.variable, &CaseVariable::variable);
    const bool isFound = at != from.likelihoods.end();
    const size_t first = from.firstWeight(static_cast<size_t>(at - from.likelihoods.begin()));
    for (uint32_t state = 0; state < column.extent; ++state)
      weightRows_.push_back(isFound ? first + state : kNone);
  }
  weightElse_.resize(weightRows_.size(), 1.0);
  addInputs(from, program);
  bool areRowsSame = weightRows_.size() == from.weightCount();
  for (size_t row = 0; row < weightRows_.size(); ++row)
    areRowsSame = areRowsSame && weightRows_[row] == row;
  isIdentity_ = areRowsSame && areSame(from.observed, to.observed) &&
                areSame(from.likelihoods, to.likelihoods);
}

/// Finds inputs by their numbers. In both schemas, the tables that follow from params come last.
void ColumnMap::addInputs(const CaseSchema &from, const ProgramHead &program) {
  const size_t formulas = program.formulas.tables.size();
  const size_t inputs = program.schema.tables.size() - formulas;
  MPF_CHECK(from.tables.size() >= formulas, "{} tables of cases, {} formulas", from.tables.size(),
            formulas);
  const size_t given = from.tables.size() - formulas;
  for (size_t input = 0; input < inputs; ++input) {
    size_t at = 0;
    while (at < given && from.tables[at].factors.front().index() != input)
      ++at;
    const auto &defaults = program.caseInputs.at(input).defaults;
    if (at == given && defaults == nullptr)
      throw MissingTable{input};
    for (uint64_t entry = 0; entry < program.schema.tables[input].sizeElems; ++entry) {
      weightRows_.push_back(at == given ? kNone
                                        : from.firstWeight(from.likelihoods.size() + at) + entry);
      weightElse_.push_back(at == given ? (*defaults)[entry] : 0);
    }
  }
  for (size_t row = from.firstWeight(from.likelihoods.size() + given); row < from.weightCount();
       ++row) {
    weightRows_.push_back(row);
    weightElse_.push_back(0);
  }
}

void ColumnMap::fillCodes(size_t column, const CaseBlock &from, CaseBlock &to) const {
  const size_t source = codes_[column];
  if (source != kNone && from.codeBytes() == to.codeBytes()) {
    std::memcpy(to.column(column), from.column(source), size_t{from.count} * from.codeBytes());
    return;
  }
  const uint32_t notObserved = schema_.observed[column].extent;
  for (uint32_t i = 0; i < from.count; ++i)
    to.setCode(column, i, source == kNone ? notObserved : from.code(source, i));
}

void ColumnMap::fill(const CaseBlock &from, CaseBlock &to) const {
  if (to.pitch() < from.count)
    to = CaseBlock(schema_, from.pitch());
  to.first = from.first;
  to.count = from.count;
  to.skipped = from.skipped;
  for (size_t column = 0; column < codes_.size(); ++column)
    fillCodes(column, from, to);
  for (size_t row = 0; row < weightRows_.size(); ++row) {
    double *const weights = to.weights().data() + row * to.pitch();
    if (weightRows_[row] == kNone)
      std::fill_n(weights, from.count, weightElse_[row]);
    else
      std::copy_n(from.weights().data() + weightRows_[row] * from.pitch(), from.count, weights);
  }
  to.far.clear();
  for (const auto &[place, values] : from.far)
    for (const FarValue &value : values)
      for (size_t row = 0; row < weightRows_.size(); ++row)
        if (weightRows_[row] == value.index)
          to.far[place].push_back({row, value.value});
}

} // namespace mpf::driver
