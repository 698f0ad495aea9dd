// What the caller says of columns, by their names.
#pragma once

#include <string>
#include <vector>

namespace mpf {

struct ColumnChoice {
  std::vector<std::string> ignored; ///< they say nothing, whatever they are called
  /// Their text goes on beside the answers, in this order. One that is called like nothing in the
  /// model says nothing else.
  std::vector<std::string> kept;
  bool keepsAll = false; ///< all columns, in their order
};

} // namespace mpf
