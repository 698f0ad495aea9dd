// One fault that a check of a kernel's text found.
#pragma once

#include <string>

namespace mpf {

struct SourceFinding {
  unsigned line = 0, column = 0; ///< from 1, in the text that was checked; 0: the whole text
  std::string message;
};

} // namespace mpf
