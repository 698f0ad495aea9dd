#include "codegen/kernel/plan/planned_name.h"

namespace mpf {

bool isPlannedName(std::string_view name, bool alone) {
  const size_t digits = name.find_first_not_of("0123456789", 1);
  if (!name.starts_with('d') || name.size() < 2 || digits == 1)
    return false;
  if (digits == name.npos)
    return alone;
  return name[digits] == '_' &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789", digits + 1) == name.npos;
}

} // namespace mpf
