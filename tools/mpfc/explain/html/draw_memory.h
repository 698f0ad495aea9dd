// Draws memory over time as SVG: a step chart that marks the peak, the predicted peak and the
// bounds.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"

#include <string>

namespace mpf {

/// Returns one <svg> element that scales with its container; every step has a <title>. Bounds far
/// above the peak are left out, since they would flatten the chart.
std::string memorySvg(const QueryExplanation &explanation);

} // namespace mpf
