#include "dsl/formats/cases/columns/entry_columns.h"

#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <string>

namespace mpf {

namespace {

/// The most entries of a table: a header with more columns would exceed the limit for rows.
constexpr uint64_t kMostEntries = uint64_t{1} << 24;

} // namespace

EntryColumns::EntryColumns(std::span<const ColumnName> names, const Model &model,
                           StateNames &states, Diagnostics &diagnostics)
    : names_(names), model_(model), states_(states), diagnostics_(diagnostics) {
  for (size_t i = 0; i < model.factors.size(); ++i)
    factors_.emplace(model.factors[i].name, FactorId(i));
}

std::optional<FactorId> EntryColumns::factorNamed(std::string_view name) const {
  const auto found = factors_.find(name);
  return found == factors_.end() ? std::nullopt : std::optional(found->second);
}

bool EntryColumns::goesOn(size_t i, CaseHeader &header) {
  if (open_ == kNone || !names_[i].text.empty())
    return false;
  Table &table = tables_[open_];
  addEntry(i, table, nextEntry_++, header);
  if (nextEntry_ == table.columnOf.size())
    open_ = kNone;
  return true;
}

bool EntryColumns::add(size_t i, CaseHeader &header) {
  const std::optional<EntryName> name =
      splitEntryName(names_[i].text, [this](std::string_view text) { return factorNamed(text); });
  if (!name)
    return false;
  const Factor &factor = model_.factor(name->factor);
  if (!isVarying(i, name->factor))
    return true;
  if (name->indices.empty()) {
    const uint64_t elems = scopeElems(model_, factor.scope);
    if (!isWhole(i, factor, elems))
      return true;
    Table &table = tableOf(i, name->factor);
    addEntry(i, table, 0, header);
    nextEntry_ = 1;
    open_ = elems == 1 ? kNone : numberOf_.at(name->factor.value);
    return true;
  }
  std::string problem;
  const std::optional<uint64_t> entry = entryNumber(*name, model_, states_, problem);
  if (!entry)
    diagnostics_.error(names_[i].place, "{}", problem);
  else
    addEntry(i, tableOf(i, name->factor), *entry, header);
  return true;
}

/// Returns whether cases may set entries of the factor, and reports if not.
bool EntryColumns::isVarying(size_t i, FactorId id) {
  const Factor &factor = model_.factor(id);
  const std::string name = excerpt(factor.name);
  if (!isInput(factor)) {
    diagnostics_.report(
        {Severity::Error, names_[i].place,
         fmt::format("table '{}' is not declared `input`: it is the same in all cases", name),
         "`input default` before its values in the model lets cases set its entries"});
    return false;
  }
  if (const uint64_t elems = scopeElems(model_, factor.scope); elems > kMostEntries) {
    diagnostics_.error(names_[i].place, "table '{}' has {} entries, cases set at most {}", name,
                       elems, kMostEntries);
    return false;
  }
  return true;
}

/// Returns whether columns for all entries of the factor start at column `i`, and reports if not.
bool EntryColumns::isWhole(size_t i, const Factor &factor, uint64_t elems) {
  uint64_t behind = 0;
  while (i + 1 + behind < names_.size() && names_[i + 1 + behind].text.empty())
    ++behind;
  if (behind + 1 >= elems)
    return true;
  diagnostics_.report(
      {Severity::Error, names_[i].place,
       fmt::format("table '{}' has {} entries: behind its name {} columns without a name follow, "
                   "{} {} there",
                   excerpt(factor.name), elems, elems - 1, behind, behind == 1 ? "is" : "are"),
       fmt::format("a column called '{}' sets one entry",
                   excerpt(entryName(model_, factor, 0), 80))});
  open_ = kNone;
  return false;
}

EntryColumns::Table &EntryColumns::tableOf(size_t i, FactorId id) {
  const auto [at, isNew] = numberOf_.try_emplace(id.value, tables_.size());
  if (isNew)
    tables_.push_back(
        {id, i, std::vector<size_t>(scopeElems(model_, model_.factor(id).scope), kNone)});
  return tables_[at->second];
}

void EntryColumns::addEntry(size_t i, Table &table, uint64_t entry, CaseHeader &header) {
  const Factor &factor = model_.factor(table.factor);
  size_t &column = table.columnOf[entry];
  const std::string name = entryName(model_, factor, entry);
  if (column != kNone)
    diagnostics_.error(names_[i].place, "entry {} has two columns", excerpt(name, 80));
  column = header.columns.size();
  header.columns.push_back({CaseCell::Entry, VarId(), static_cast<size_t>(entry), name,
                            numberOf_.at(table.factor.value),
                            factor.defaults ? (*factor.defaults)[entry] : kNoNumber});
}

void EntryColumns::finish(CaseHeader &header) {
  size_t row = header.schema.weightCount();
  for (const Table &table : tables_) {
    const Factor &factor = model_.factor(table.factor);
    for (uint64_t entry = 0; entry < table.columnOf.size(); ++entry)
      if (const size_t column = table.columnOf[entry]; column != kNone)
        header.columns[column].index += row;
      else if (factor.defaults)
        header.constant.push_back({static_cast<size_t>(row + entry), (*factor.defaults)[entry]});
    if (!factor.defaults)
      reportMissing(table);
    header.schema.tables.push_back(
        {{table.factor}, table.columnOf.size(), factor.conditional, 0, {}});
    row += table.columnOf.size();
  }
  for (const CaseColumn &column : header.columns)
    if (column.cell == CaseCell::Entry) {
      VaryingTable &table = header.schema.tables[column.table];
      if (table.columnCount++ < kMostFirstColumns)
        table.firstColumns.push_back(column.entry);
    }
}

void EntryColumns::reportMissing(const Table &table) {
  constexpr size_t kMostNamed = 5;
  const Factor &factor = model_.factor(table.factor);
  std::string names;
  size_t missing = 0;
  for (uint64_t entry = 0; entry < table.columnOf.size(); ++entry) {
    if (table.columnOf[entry] != kNone)
      continue;
    if (missing++ < kMostNamed)
      names += (names.empty() ? "" : ", ") + entryName(model_, factor, entry);
  }
  if (missing == 0)
    return;
  if (missing > kMostNamed)
    names += fmt::format(" and {} more", missing - kMostNamed);
  diagnostics_.report(
      {Severity::Error, names_[table.firstColumn].place,
       fmt::format("`input` table '{}' has no defaults and needs a column for each entry: {} {} "
                   "missing",
                   excerpt(factor.name), excerpt(names, 200), missing == 1 ? "is" : "are"),
       "`input default ...` in the model gives what holds in other entries"});
}

} // namespace mpf
