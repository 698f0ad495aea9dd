// The type of entries in the text of kernels: "float", "double", "unsigned long long", "unsigned
// __int128".
#pragma once

#include "dsl/support/semiring.h"

namespace mpf {

inline const char *entryTypeText(ElementType type) {
  switch (type) {
  case ElementType::F32:
    return "float";
  case ElementType::F64:
    return "double";
  case ElementType::U64:
    return "unsigned long long";
  case ElementType::U128:
    break;
  }
  return "unsigned __int128";
}

} // namespace mpf
