#include "dsl/model/read/read_table_key.h"

#include "dsl/support/number_text.h"

namespace mpf {

bool readTableKey(std::string_view key, const TablesSoFar &tables, Factor &factor) {
  constexpr std::string_view kSigned = "signed-", kDefaults = "input:", kWide = "wide:";
  factor.bindsNegative = key.starts_with(kSigned);
  if (factor.bindsNegative)
    key.remove_prefix(kSigned.size());
  if (key == "input")
    return true;
  const bool areDefaults = key.starts_with(kDefaults), areWide = key.starts_with(kWide);
  key.remove_prefix(areDefaults ? kDefaults.size() : areWide ? kWide.size() : 0);
  const auto number = areDefaults || !factor.bindsNegative ? parseUnsigned(key) : std::nullopt;
  if (!number || *number >= tables.size())
    return false;
  (areDefaults ? factor.defaults : areWide ? factor.wide : factor.values) = tables[*number];
  return true;
}

bool makeTarget(Factor &factor) {
  factor.target = storedValues(factor);
  if (!factor.target || factor.defaults)
    return false;
  const size_t states = factor.target->size() / (factor.wide ? 2 : 1);
  factor.wide = nullptr;
  factor.values = std::make_shared<const std::vector<double>>(states, 1.0);
  return true;
}

} // namespace mpf
