#include "tools/mpfc/explain/varying_tables.h"

#include "dsl/formats/cases/tables/case_formulas.h"
#include "dsl/support/expression/check_expression.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace mpf::driver {

namespace {

/// Names the columns that set entries of a table, and says that other entries have the default.
std::string columnsOf(const VaryingTable &table) {
  std::string text = table.columnCount == 1 ? "column " : "columns ";
  text += fmt::format("{}", fmt::join(table.firstColumns, ", "));
  if (table.columnCount > table.firstColumns.size())
    text += fmt::format(" and {} more", table.columnCount - table.firstColumns.size());
  if (table.columnCount < table.sizeElems)
    text += fmt::format("; {} {} the default", table.sizeElems - table.columnCount,
                        table.sizeElems - table.columnCount == 1 ? "entry has" : "entries have");
  return text;
}

/// Finds, for each param, the params that cases set and that it follows from, itself included. It
/// keeps the first kParamsShown of them, and one more if there are more.
class SetParams {
public:
  SetParams(const FormulaSet &formulas, const CaseSchema &schema) : params_(formulas.params) {
    const std::set<std::string> set(schema.params.begin(), schema.params.end());
    // Params are sorted: each comes after those that it is derived from.
    for (uint32_t slot = 0; slot < params_.size(); ++slot) {
      std::set<uint32_t> direct;
      addParamsOf(params_[slot].derivation, direct);
      std::vector<uint32_t> found = behind(direct);
      if (set.contains(params_[slot].name))
        found = united(found, {slot});
      behind_.push_back(std::move(found));
    }
  }

  /// Returns "param a, b and more"; empty if a table of these params follows from none that cases
  /// set.
  std::string text(const std::set<uint32_t> &slots) const {
    std::vector<uint32_t> found = behind(slots);
    const bool areMore = found.size() > kParamsShown;
    found.resize(std::min(found.size(), kParamsShown));
    std::string names;
    for (const uint32_t slot : found)
      names += fmt::format("{}{}", names.empty() ? "param " : ", ", params_[slot].name);
    return names + (areMore ? " and more" : "");
  }

private:
  static std::vector<uint32_t> united(const std::vector<uint32_t> &a,
                                      const std::vector<uint32_t> &b) {
    std::vector<uint32_t> both;
    std::ranges::set_union(a, b, std::back_inserter(both));
    both.resize(std::min(both.size(), kParamsShown + 1));
    return both;
  }

  std::vector<uint32_t> behind(const std::set<uint32_t> &slots) const {
    std::vector<uint32_t> found;
    for (const uint32_t slot : slots)
      found = united(found, behind_[slot]);
    return found;
  }

  const std::vector<FormulaParam> &params_;
  std::vector<std::vector<uint32_t>> behind_; ///< by slot, ascending
};

} // namespace

std::vector<VaryingFacts> varyingTables(const CaseList &list) {
  const std::vector<VaryingTable> &tables = list.source->schema().tables;
  const FormulaSet &formulas = list.formulas;
  std::vector<VaryingFacts> facts;
  for (size_t t = 0; t + formulas.tables.size() < tables.size(); ++t)
    facts.push_back({list.single.factor(tables[t].factors.front()).name, tables[t].sizeElems,
                     columnsOf(tables[t])});
  const SetParams params(formulas, list.source->schema());
  for (const CaseFormula &table : formulas.tables) {
    const std::vector<uint32_t> direct = paramsOf(*table.formula);
    facts.push_back(
        {table.name, table.formula->elems(), params.text({direct.begin(), direct.end()})});
  }
  return facts;
}

} // namespace mpf::driver
