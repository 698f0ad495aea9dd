// How the text of a plan begins: 'kernel NAME' and 'family FAMILY', or, of families that have a
// keyword of their own, 'FAMILY NAME'.
#pragma once

#include "dsl/source/line_reader.h"

#include <optional>
#include <string>

namespace mpf {

struct PlanHead {
  std::string keyword; ///< "kernel", or the family's
  std::string name;    ///< of the kernel
  std::string family;
};

/// From the line that `lines` is at; behind it `lines` is at the last line of the head. None when
/// something was reported. Whether there is such a family is for the caller to see.
std::optional<PlanHead> readHead(LineReader &lines);

} // namespace mpf
