// What a check of a kernel's text found.
#pragma once

#include <string>

namespace mpf {

struct SourceFinding {
  unsigned line = 0, column = 0; ///< in the text given, from 1; 0: the whole text
  std::string message;
};

} // namespace mpf
