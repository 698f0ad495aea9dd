#include "dsl/syntax/query_names.h"

#include "dsl/syntax/spelling.h"

namespace mpf {

namespace {

std::string spellWhere(std::string_view signs, std::string_view text) {
  return text.find_first_of(signs) == std::string_view::npos ? std::string(text) : spellName(text);
}

} // namespace

std::string nameInQuery(std::string_view variable) { return spellWhere(",|=`", variable); }

std::string labelInQuery(std::string_view label) { return spellWhere(",`", label); }

} // namespace mpf
