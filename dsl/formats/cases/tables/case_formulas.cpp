#include "dsl/formats/cases/tables/case_formulas.h"

#include "dsl/formats/cases/tables/divide_rows.h"
#include "dsl/support/check.h"
#include "dsl/support/expression/check_expression.h"
#include "dsl/support/numbers/row_sums.h"
#include "dsl/support/numbers/table_number.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>
#include <utility>

namespace mpf {

namespace {

/// The approximate number of values in the columns of all params together.
constexpr size_t kColumnElems = size_t{1} << 20;

CaseFormula formulaOf(const Model &model, std::vector<FactorId> factors, const EntryNeeds &needs) {
  const Factor &first = model.factor(factors.front());
  CaseFormula table{first.name, {}, first.formula, 0, needs.nonNegative};
  for (const FactorId id : factors) {
    if (model.factor(id).conditional)
      table.rowElems = first.formula->extents.back();
    table.nonNegative |= model.factor(id).conditional || model.evidence.isLikelihood(id);
    table.wholeBits = std::max(table.wholeBits, needs.wholeBits(id));
    table.nonNegative |= table.wholeBits != 0;
    table.isSoft |= model.evidence.isLikelihood(id);
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
    added.derivation = param.derivation;
    const auto sweep = std::ranges::find(model.sweeps, param.name, &SweptParam::name);
    if (sweep != model.sweeps.end())
      added.swept = sweep->values;
  }
  // Factors that share a formula share a table.
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
  std::set<uint32_t> used;
  for (const CaseFormula &table : set_.tables) {
    const std::vector<uint32_t> slots = paramsOf(*table.formula);
    used.insert(slots.begin(), slots.end());
    schema_.tables.push_back(
        {table.factors, table.formula->elems(), table.nonNegative, table.wholeBits});
  }
  addSources(set_.params, used);
  for (const uint32_t slot : used)
    isUsed_[slot] = 1;
  casesAtOnce_ = static_cast<uint32_t>(kColumnElems / std::max<size_t>(1, used.size()) + 1);
  columns_.resize(set_.params.size());
  addresses_.resize(set_.params.size(), nullptr);
}

/// Fills the columns of the params: the value of the case, or else that of the model. Each param
/// follows those from which it is derived.
void CaseFormulas::readParams(const CaseBlock &block, uint32_t first, uint32_t count) {
  for (uint32_t p = 0; p < set_.params.size(); ++p) {
    if (isUsed_[p] == 0)
      continue;
    const FormulaParam &param = set_.params[p];
    std::vector<double> &column = columns_[p];
    column.assign(count, param.value);
    FarValues far;
    if (!param.derivation.code.empty())
      far = derivations_.evaluateCases(param.derivation, {}, addresses_, column);
    for (uint32_t i = 0; i < count; ++i)
      if (isGiven(block, p, first + i))
        column[i] = block.params()[columnOf_[p] * block.pitch() + first + i];
    addresses_[p] = column.data();
    if (!param.derivation.code.empty())
      checkDerived(block, p, first, far);
  }
}

/// Reports empty cells of params that the model sweeps: the model has no single value for them.
void CaseFormulas::requireSwept(const CaseBlock &block) {
  for (uint32_t p = 0; p < set_.params.size(); ++p) {
    if (columnOf_[p] == SIZE_MAX || set_.params[p].swept.empty())
      continue;
    for (uint32_t i = 0; i < block.count; ++i)
      if (!isGiven(block, p, i))
        faults_.push_back(
            {i,
             {CaseField::Of::Param, columnOf_[p]},
             fmt::format("param {} has no value here: the model sweeps it", set_.params[p].name)});
  }
}

/// Reports derived params that are no finite double. A table might not show the fault: comparisons
/// with NaN are merely false.
void CaseFormulas::checkDerived(const CaseBlock &block, uint32_t param, uint32_t first,
                                const FarValues &far) {
  const auto fault = [&](uint32_t i, std::string_view what) {
    std::set<uint32_t> sources;
    addParamsOf(set_.params[param].derivation, sources);
    addFault(block, std::move(sources), {first, i},
             fmt::format("param {} is {}", set_.params[param].name, what));
  };
  for (uint32_t i = 0; i < columns_[param].size(); ++i)
    if (std::isnan(columns_[param][i]))
      fault(i, "not a number");
  for (const FarValue &one : far)
    if (const auto i = static_cast<uint32_t>(one.index); !isGiven(block, param, first + i))
      fault(i, one.value.exponent > 0 ? "too large for a double" : "too small for a double");
}

bool CaseFormulas::isGiven(const CaseBlock &block, uint32_t param, uint32_t place) const {
  return columnOf_[param] != SIZE_MAX &&
         !std::isnan(block.params()[columnOf_[param] * block.pitch() + place]);
}

void CaseFormulas::addFault(const CaseBlock &block, std::set<uint32_t> slots, Place at,
                            const std::string &what) {
  std::string text;
  CaseField field, given;
  const uint32_t place = at.first + at.offset;
  addSources(set_.params, slots, [&](uint32_t slot) { return isGiven(block, slot, place); });
  size_t shown = 0;
  for (const uint32_t slot : slots) {
    if (++shown <= kParamsShown)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", set_.params[slot].name,
                          columns_[slot][at.offset]);
    const CaseField its{CaseField::Of::Param, columnOf_[slot]};
    if (columnOf_[slot] != SIZE_MAX && field.of == CaseField::Of::Case)
      field = its;
    if (given.of == CaseField::Of::Case && isGiven(block, slot, place))
      given = its;
  }
  if (shown > kParamsShown)
    text += fmt::format(", and {} more", shown - kParamsShown);
  faults_.push_back(
      {place, given.of == CaseField::Of::Param ? given : field, fmt::format("{}: {}", text, what)});
}

/// The row of CaseBlock::weights that the entries are in, or begin in.
static uint64_t rowOf(const double *entries, const CaseBlock &block) {
  return static_cast<uint64_t>(entries - block.weights().data()) / block.pitch();
}

void CaseFormulas::check(const CaseFormula &table, const double *entries, const CaseBlock &block,
                         uint32_t first, uint32_t count) {
  const auto slots = [&table] { // called only for faults, which are rare
    const std::vector<uint32_t> params = paramsOf(*table.formula);
    return std::set<uint32_t>(params.begin(), params.end());
  };
  TableCheck::OnRow onRounded;
  if (rowSums_)
    onRounded = [&](uint32_t, uint64_t row, double sum) {
      rowSums_->addTaken(sum, [&] { return fmt::format("row {} of {}", row, table.name); });
    };
  check_.run(
      {table.formula->elems(), table.rowElems, table.nonNegative, table.wholeBits, table.isSoft},
      entries, count, block.pitch(),
      [&](uint32_t offset, uint64_t entry) {
        addFault(block, slots(), {first, offset},
                 fmt::format("entry {} of {} is {}, it must be {}", entry, table.name,
                             weightText(block, rowOf(entries, block) + entry, first + offset),
                             entryRuleText(table.nonNegative, table.wholeBits)));
      },
      [&](uint32_t offset, uint64_t row, double) {
        const CaseRows rows{rowOf(entries, block), table.formula->elems(), table.rowElems};
        addFault(block, slots(), {first, offset},
                 fmt::format("row {} of {} sums to {}, it must be 1", row, table.name,
                             RowFault::rowSumText(rowSum(block, rows, row, first + offset))));
      },
      [&](uint32_t offset) {
        addFault(block, slots(), {first, offset},
                 fmt::format("all weights of {} are zero", table.name));
      },
      onRounded);
}

void CaseFormulas::fillCases(CaseBlock &block, uint32_t first, uint32_t count) {
  readParams(block, first, count);
  for (size_t t = 0; t < set_.tables.size(); ++t) {
    const CaseFormula &table = set_.tables[t];
    double *const entries =
        block.weights().data() +
        schema_.firstWeight(schema_.likelihoods.size() + firstTable_ + t) * block.pitch() + first;
    const std::vector<FarEntry> far =
        evaluator_.evaluate(*table.formula, addresses_, count, block.pitch(), entries);
    keepFar(table, far, first, entries, block);
    check(table, entries, block, first, count);
  }
}

/// Stores entries that no double holds in CaseBlock::far; entries beyond its exponents are faults.
void CaseFormulas::keepFar(const CaseFormula &table, const std::vector<FarEntry> &far,
                           uint32_t first, double *entries, CaseBlock &block) {
  const uint64_t firstRow = rowOf(entries, block);
  for (const FarEntry &one : far) {
    entries[one.entry * block.pitch() + one.place] = nearestFinite(one.value);
    const FarValue value{firstRow + one.entry, one.value};
    if (!isLost(value)) {
      block.far[first + one.place].push_back(value);
      continue;
    }
    const std::vector<uint32_t> params = paramsOf(*table.formula);
    addFault(block, {params.begin(), params.end()}, {first, one.place},
             fmt::format("entry {} of {} is {} any magnitude that tables hold", one.entry,
                         table.name, one.value.exponent > 0 ? "above" : "below"));
  }
}

std::vector<CaseFault> CaseFormulas::fill(CaseBlock &block) {
  faults_.clear();
  requireSwept(block);
  for (uint32_t first = 0; first < block.count; first += casesAtOnce_)
    fillCases(block, first, std::min(casesAtOnce_, block.count - first));
  keepOneFaultOfEach(faults_);
  return std::move(faults_);
}

} // namespace mpf
