// Memory over time -> SVG: a step chart with the peak, the promise and the bounds marked.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"

#include <string>

namespace mpf {

/// One <svg> element that scales with its container; every step has a <title>. Bounds far above the
/// peak are left out: they would flatten the chart.
std::string memorySvg(const QueryExplanation &explanation);

} // namespace mpf
