// The head of a plan's text: the lines 'kernel NAME' and 'family FAMILY'. Families whose name is a
// keyword (chains) have the one line 'FAMILY NAME'.
#pragma once

#include "dsl/source/line_reader.h"

#include <optional>
#include <string>

namespace mpf {

struct PlanHead {
  std::string keyword; ///< "kernel", or the family's own keyword
  std::string name;    ///< the kernel's name
  std::string family;  ///< the family's name; may be unknown
};

/// Reads a head that starts at the current line of `lines`. Afterwards `lines` is at the last line
/// of the head. Returns none when something was reported. The caller checks that the family exists.
std::optional<PlanHead> readHead(LineReader &lines);

} // namespace mpf
