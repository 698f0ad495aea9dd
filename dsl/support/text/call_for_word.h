// Calls the function of a class that reads the lines with one first word.
#pragma once

#include <string_view>

namespace mpf {

/// `table` has pairs of a word and a member function without arguments. Returns whether it has
/// `word`; then its function was called on `object`.
template <class Table, class Object>
bool callForWord(const Table &table, std::string_view word, Object &object) {
  for (const auto &[known, read] : table)
    if (known == word) {
      (object.*read)();
      return true;
    }
  return false;
}

} // namespace mpf
