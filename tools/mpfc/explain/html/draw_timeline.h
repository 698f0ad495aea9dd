// Draws the time line as SVG: a lane for each device and one for the copies between them, a bar for
// each operation.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"

#include <string>

namespace mpf {

/// Returns one <svg> element that scales with its container; every bar has a <title>. Bars that are
/// too narrow to be distinguished are drawn as one, so that the page stays small. Empty without
/// bars.
std::string timelineSvg(const QueryExplanation &explanation);

} // namespace mpf
