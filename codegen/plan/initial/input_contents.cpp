#include "codegen/plan/initial/input_contents.h"

#include "codegen/plan/program/reentered_loops.h"
#include "codegen/simplify/state/table_ops.h"
#include "dsl/support/check.h"
#include "dsl/support/split_mix.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <map>
#include <unordered_map>
#include <utility>

namespace mpf {

namespace {

/// Returns a hash that does not depend on the order of the entries.
uint64_t hashOf(const std::vector<double> &values) {
  uint64_t sum = mixBits(values.size() + kGoldenGamma);
  for (const double value : values)
    sum += mixBits(std::bit_cast<uint64_t>(value) + kGoldenGamma);
  return sum;
}

/// Tables that may be equal have the same. The variables that determine the position of an entry in
/// a table are, most significant first, those that were observed (a session moves along them), then
/// the scope as stored.
struct Class {
  uint64_t hash = 0; ///< of the entries in any order
  std::vector<VarId> observed;
  Extents extents; ///< of observed variables and scope
  friend auto operator<=>(const Class &, const Class &) = default;
};

std::vector<char> observedVariables(const TableProgram &program) {
  std::vector<char> observed(program.variables.size(), 0);
  for (const Finding &finding : program.evidence.findings)
    observed[finding.variable.index()] = 1;
  return observed;
}

/// Sets all but the hash; the memory of `layout` is used again. `observed`: by variable.
void setLayout(const TableProgram &program, const ProgramTable &table, const Model &model,
               const std::vector<char> &observed, Class &layout) {
  layout.observed.clear();
  layout.extents.clear();
  if (table.factor.valid())
    for (const VarId id : model.factor(table.factor).scope)
      if (program.variables[id.index()].extent > 1 && observed[id.index()])
        layout.observed.push_back(id);
  std::sort(layout.observed.begin(), layout.observed.end());
  layout.extents.reserve(layout.observed.size() + table.scope.size());
  for (const std::vector<VarId> *part : {&std::as_const(layout.observed), &table.scope})
    for (const VarId id : *part)
      layout.extents.push_back(program.variables[id.index()].extent);
}

/// Sets `steps` to the distances, in the factor's values, of two entries that differ by one in a
/// variable: first for `observed`, then for `scope`.
void setSteps(const Model &model, const Factor &factor, const std::vector<VarId> &observed,
              const std::vector<VarId> &scope, std::vector<uint64_t> &steps) {
  steps.clear();
  for (const auto *part : {&observed, &scope})
    for (const VarId id : *part) {
      uint64_t step = 1;
      size_t axis = factor.scope.size();
      for (; axis > 0 && factor.scope[axis - 1] != id; --axis)
        step *= model.variable(factor.scope[axis - 1]).extent;
      MPF_CHECK(axis > 0, "factor {} does not depend on variable {}", factor.name, id);
      steps.push_back(step);
    }
}

/// The factor's values, arranged by these steps.
std::vector<double> arranged(const Factor &factor, const Extents &extents,
                             const std::vector<uint64_t> &steps) {
  if (steps == stridesOf(extents))
    return *factor.values;
  std::vector<double> values;
  values.reserve(factor.values->size());
  Odometer odometer(extents, steps);
  do
    values.push_back((*factor.values)[odometer.offset()]);
  while (odometer.next());
  return values;
}

uint64_t hashInOrder(const std::vector<double> &values) {
  uint64_t hash = values.size();
  for (const double value : values)
    hash = mixBits(hash ^ std::bit_cast<uint64_t>(value)) + kGoldenGamma;
  return hash;
}

bool sameBits(const std::vector<double> &a, const std::vector<double> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y);
  });
}

} // namespace

InputContents::InputContents(const Model &model, bool finalTables) : model_(&model) {
  if (!finalTables)
    return;
  std::unordered_map<const void *, size_t> known; // factors by values; both are only looked up
  std::unordered_map<uint64_t, std::vector<size_t>> byHash; // different values of factors
  for (size_t f = 0; f < model.factors.size(); ++f) {
    const TableValues &values = model.factors[f].values;
    const auto [at, isNew] = known.try_emplace(values.get(), f);
    if (!isNew || !values) {
      hashes_.push_back(isNew ? 0 : hashes_[at->second]);
      sameValues_.push_back(isNew ? f : sameValues_[at->second]);
      continue;
    }
    hashes_.push_back(hashOf(*values));
    std::vector<size_t> &different = byHash[hashes_.back()];
    const auto same = std::find_if(different.begin(), different.end(), [&](size_t other) {
      return sameBits(*model.factors[other].values, *values);
    });
    sameValues_.push_back(same == different.end() ? f : *same);
    if (same == different.end())
      different.push_back(f);
  }
}

bool InputContents::mayChange(const TableProgram &program, TableId id) const {
  const ProgramTable &table = program.table(id);
  if (!table.factor.valid())
    return false;
  if (model_ == nullptr)
    return true;
  const Factor &factor = model_->factor(table.factor);
  return !factor.values ||
         std::any_of(factor.scope.begin(), factor.scope.end(), [&program](VarId v) {
           return program.variables[v.index()].extent > 1 && program.observes(v);
         });
}

bool InputContents::isZeroOne(const TableProgram &program, TableId id) const {
  const ProgramTable &table = program.table(id);
  if (hashes_.empty() || program.operations.empty() || !table.factor.valid() ||
      !model_->factor(table.factor).values)
    return false;
  const std::vector<double> &values = *model_->factor(table.factor).values;
  const Semiring semiring = program.operations.front().semiring; // all combine alike
  const double zero = reduceIdentity(semiring), one = combineIdentity(semiring.combine);
  return std::find(values.begin(), values.end(), zero) != values.end() &&
         std::all_of(values.begin(), values.end(),
                     [=](double value) { return value == zero || value == one; });
}

/// Compares hashes before layouts: layouts take longer, and in most networks no two tables share a
/// hash.
std::vector<InputContents::Hashed> InputContents::suspects(const TableProgram &program) const {
  std::vector<Hashed> all;
  for (size_t i = 0; i < program.tables.size(); ++i) {
    const ProgramTable &table = program.tables[i];
    if (!table.isInput() || table.isIdentity || isReenteredInput(program, table) ||
        (table.factor.valid() && !model_->factor(table.factor).values))
      continue;
    const uint64_t hash =
        table.fill ? mixBits(std::bit_cast<uint64_t>(*table.fill)) : hashes_[table.factor.index()];
    all.emplace_back(hash, TableId{i});
  }
  std::sort(all.begin(), all.end());
  std::vector<Hashed> found;
  for (size_t i = 0; i < all.size(); ++i)
    if ((i > 0 && all[i - 1].first == all[i].first) ||
        (i + 1 < all.size() && all[i + 1].first == all[i].first))
      found.push_back(all[i]);
  return found;
}

/// Finds equal tables of one class, all permutations of one table, however many there are.
void InputContents::compareEntries(const TableProgram &program, const Extents &extents,
                                   const std::vector<Arrangement> &tables,
                                   std::vector<TableId> &first) const {
  std::map<uint64_t, std::vector<std::pair<TableId, std::vector<double>>>> byOrder;
  for (const Arrangement &arrangement : tables) {
    const ProgramTable &table = program.table(arrangement.table);
    std::vector<double> values =
        table.fill ? std::vector<double>{*table.fill}
                   : arranged(model_->factor(table.factor), extents, arrangement.steps);
    auto &different = byOrder[hashInOrder(values)];
    const auto same = std::find_if(different.begin(), different.end(), [&](const auto &other) {
      return program.table(other.first).fill.has_value() == table.fill.has_value() &&
             sameBits(other.second, values);
    });
    if (same == different.end())
      different.emplace_back(arrangement.table, std::move(values));
    else
      first[arrangement.table.index()] = same->first;
  }
}

std::vector<TableId> InputContents::firstEqual(const TableProgram &program) const {
  std::vector<TableId> first = firstReadings(program);
  std::map<uint32_t, TableId> identities; // by extent: identities of the program, which the model
                                          // does not have
  for (size_t i = 0; i < program.tables.size(); ++i)
    if (const ProgramTable &table = program.tables[i]; table.isIdentity)
      first[i] =
          identities.try_emplace(program.variables[table.scope[0].index()].extent, TableId{i})
              .first->second;
  if (hashes_.empty())
    return first;
  std::map<Class, std::vector<TableId>> classes;
  const std::vector<char> observed = observedVariables(program);
  Class its; // copied for the first table of each class alone
  for (const auto &[hash, id] : suspects(program)) {
    its.hash = hash;
    setLayout(program, program.table(id), *model_, observed, its);
    classes[its].push_back(id);
  }
  for (const auto &[key, tables] : classes) {
    if (tables.size() < 2)
      continue;
    std::vector<Arrangement> different;
    std::vector<std::pair<TableId, TableId>> repeats; // with the table that they repeat
    std::map<std::pair<size_t, std::vector<uint64_t>>, TableId> seen; // looked up, never walked
    std::pair<size_t, std::vector<uint64_t>> arrangement;             // copied where it is new
    for (const TableId id : tables) {
      const ProgramTable &table = program.table(id);
      if (table.fill) {
        different.push_back({id, {}});
        continue;
      }
      arrangement.first = sameValues_[table.factor.index()];
      setSteps(*model_, model_->factor(table.factor), key.observed, table.scope,
               arrangement.second);
      const auto [at, isNew] = seen.try_emplace(arrangement, id);
      if (isNew)
        different.push_back({id, arrangement.second});
      else
        repeats.emplace_back(id, at->second);
    }
    if (different.size() > 1)
      compareEntries(program, key.extents, different, first);
    for (const auto &[id, like] : repeats)
      first[id.index()] = first[like.index()];
  }
  for (TableId &id : first) // an input read again in a reentered loop follows its input
    id = first[id.index()];
  return first;
}

} // namespace mpf
