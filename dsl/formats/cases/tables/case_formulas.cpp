#include "dsl/formats/cases/tables/case_formulas.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>
#include <utility>

namespace mpf {

namespace {

CaseFormula formulaOf(const Model &model, std::vector<FactorId> factors, const EntryNeeds &needs) {
  const Factor &first = model.factor(factors.front());
  CaseFormula table{first.name, {}, first.formula, 0, needs.nonNegative};
  for (const FactorId id : factors) {
    if (model.factor(id).conditional)
      table.rowElems = first.formula->extents.back();
    table.nonNegative |= model.factor(id).conditional || model.evidence.isLikelihood(id);
    table.wholeBits = std::max(table.wholeBits, needs.wholeBits(id));
    table.nonNegative |= table.wholeBits != 0;
  }
  table.factors = std::move(factors);
  return table;
}

FormulaSet formulasOf(const Model &model, const CaseSchema &given, const EntryNeeds &needs) {
  FormulaSet set;
  for (const Param &param : model.params) {
    MPF_CHECK(param.varies || std::ranges::find(given.params, param.name) == given.params.end(),
              "the model is not made for cases that set {}", param.name);
    FormulaParam &added = set.params.emplace_back(param.name, param.value);
    const auto sweep = std::ranges::find(model.sweeps, param.name, &SweptParam::name);
    if (sweep != model.sweeps.end())
      added.swept = sweep->values;
  }
  // Factors with one formula are one table.
  std::vector<std::vector<FactorId>> shared;
  std::unordered_map<const TableFormula *, size_t> numberOf;
  for (size_t i = 0; i < model.factors.size(); ++i) {
    const TableFormula *const formula = model.factors[i].formula.get();
    if (formula == nullptr)
      continue;
    const auto [at, isNew] = numberOf.try_emplace(formula, shared.size());
    if (isNew)
      shared.emplace_back();
    shared[at->second].emplace_back(i);
  }
  for (std::vector<FactorId> &factors : shared)
    set.tables.push_back(formulaOf(model, std::move(factors), needs));
  return set;
}

} // namespace

CaseFormulas::CaseFormulas(const Model &model, const CaseSchema &given, const EntryNeeds &needs)
    : CaseFormulas(formulasOf(model, given, needs), given) {}

CaseFormulas::CaseFormulas(FormulaSet set, const CaseSchema &given)
    : set_(std::move(set)), given_(given), schema_(given), firstTable_(given.tables.size()),
      columnOf_(set_.params.size(), SIZE_MAX), isUsed_(set_.params.size(), 0) {
  for (size_t column = 0; column < given.params.size(); ++column) {
    const auto found = std::ranges::find(set_.params, given.params[column], &FormulaParam::name);
    MPF_CHECK(found != set_.params.end(), "no formula knows of {}", given.params[column]);
    columnOf_[static_cast<size_t>(found - set_.params.begin())] = column;
  }
  for (const CaseFormula &table : set_.tables) {
    for (const uint32_t slot : paramsOf(*table.formula))
      isUsed_[slot] = 1;
    schema_.tables.push_back(
        {table.factors, table.formula->values->size(), table.nonNegative, table.wholeBits});
  }
  columns_.resize(set_.params.size());
  addresses_.resize(set_.params.size(), nullptr);
}

/// The columns of the params, the model's value where a case has none.
void CaseFormulas::readParams(const CaseBlock &block) {
  for (size_t p = 0; p < set_.params.size(); ++p) {
    if (isUsed_[p] == 0)
      continue;
    std::vector<double> &column = columns_[p];
    column.assign(block.count, set_.params[p].value);
    addresses_[p] = column.data();
    if (columnOf_[p] == SIZE_MAX)
      continue;
    const double *const given = block.params().data() + columnOf_[p] * block.pitch();
    for (uint32_t i = 0; i < block.count; ++i)
      if (!std::isnan(given[i]))
        column[i] = given[i];
  }
}

std::string CaseFormulas::paramsText(const CaseFormula &table, uint32_t place) const {
  std::string text;
  for (const uint32_t slot : paramsOf(*table.formula))
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", set_.params[slot].name,
                        columns_[slot][place]);
  return text;
}

/// The first of its params that cases set.
CaseField CaseFormulas::fieldFor(const CaseFormula &table) const {
  for (const uint32_t slot : paramsOf(*table.formula))
    if (columnOf_[slot] != SIZE_MAX)
      return {CaseField::Of::Param, columnOf_[slot]};
  return {};
}

void CaseFormulas::addFault(const CaseFormula &table, uint32_t place, const std::string &what) {
  faults_.push_back(
      {place, fieldFor(table), fmt::format("{}: {}", paramsText(table, place), what)});
}

void CaseFormulas::check(const CaseFormula &table, const double *entries, const CaseBlock &block) {
  check_.run(
      {table.formula->values->size(), table.rowElems, table.nonNegative, table.wholeBits}, entries,
      block.count, block.pitch(),
      [&](uint32_t place, uint64_t entry, double value) {
        addFault(table, place,
                 fmt::format("entry {} of {} is {}, it must be {}", entry, table.name, value,
                             entryRuleText(table.nonNegative, table.wholeBits)));
      },
      [&](uint32_t place, uint64_t row, double sum) {
        addFault(table, place,
                 fmt::format("row {} of {} sums to {}, it must be 1", row, table.name, sum));
      });
}

std::vector<CaseFault> CaseFormulas::fill(CaseBlock &block) {
  faults_.clear();
  readParams(block);
  for (size_t t = 0; t < set_.tables.size(); ++t) {
    const CaseFormula &table = set_.tables[t];
    double *const entries =
        block.weights().data() +
        schema_.firstWeight(schema_.likelihoods.size() + firstTable_ + t) * block.pitch();
    evaluator_.evaluate(*table.formula, addresses_, block.count, block.pitch(), entries);
    check(table, entries, block);
  }
  keepOneFaultOfEach(faults_);
  return std::move(faults_);
}

} // namespace mpf
