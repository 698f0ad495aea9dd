#include "dsl/model/resolve/table_pool.h"
#include "dsl/support/system/watched_call.h"

#include <bit>
#include <cstring>

namespace mpf {

namespace {
/// Returns a hash of both. It is not XXH3, whose state is too expensive for the few entries of most
/// tables.
uint64_t mixed(uint64_t key, uint64_t word) {
  key = (key ^ word) * 0x9e3779b97f4a7c15u;
  return key ^ key >> 29;
}

uint64_t keyOf(std::span<const double> entries) {
  uint64_t key = entries.size();
  for (const double entry : entries)
    key = mixed(key, std::bit_cast<uint64_t>(entry));
  return key;
}

uint64_t keyOf(const TableFormula &formula) {
  uint64_t key = reinterpret_cast<uintptr_t>(formula.values.get());
  for (const uint32_t extent : formula.extents)
    key = mixed(key, extent);
  for (const FormulaPart &part : formula.parts) {
    key = mixed(mixed(key, part.begin), part.end);
    for (const Instruction &step : part.expression.code)
      key = mixed(key, uint64_t{step.slot} << 8 | static_cast<uint64_t>(step.code));
  }
  return key;
}
} // namespace

TableValues TablePool::find(uint64_t key, std::span<const double> entries) const {
  const auto [first, last] = tables_.equal_range(key);
  for (auto candidate = first; candidate != last; ++candidate) {
    const std::vector<double> &known = *candidate->second;
    if (known.size() == entries.size() &&
        (entries.empty() || std::memcmp(known.data(), entries.data(), entries.size_bytes()) == 0))
      return candidate->second;
  }
  return nullptr;
}

TableValues TablePool::intern(std::span<const double> entries) {
  throwIfCancelled();
  const uint64_t key = keyOf(entries);
  TableValues table = find(key, entries);
  if (!table) {
    table = std::make_shared<const std::vector<double>>(entries.begin(), entries.end());
    tables_.emplace(key, table);
  }
  return table;
}

TableValues TablePool::intern(std::vector<double> &&entries) {
  return intern(std::make_shared<const std::vector<double>>(std::move(entries)));
}

TableValues TablePool::intern(TableValues entries, bool *isNew) {
  throwIfCancelled();
  const uint64_t key = keyOf(*entries);
  TableValues known = find(key, *entries);
  if (isNew != nullptr)
    *isNew = known == nullptr;
  if (known != nullptr)
    return known;
  tables_.emplace(key, entries);
  return entries;
}

std::shared_ptr<const TableFormula> FormulaPool::intern(TableFormula formula) {
  const uint64_t key = keyOf(formula);
  const auto [first, last] = formulas_.equal_range(key);
  for (auto candidate = first; candidate != last; ++candidate)
    if (const TableFormula &known = *candidate->second; known.values == formula.values &&
                                                        known.extents == formula.extents &&
                                                        known.parts == formula.parts)
      return candidate->second;
  auto made = std::make_shared<const TableFormula>(std::move(formula));
  formulas_.emplace(key, made);
  return made;
}

} // namespace mpf
