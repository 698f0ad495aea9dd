// Draws the bucket tree as SVG: colours show cost, or the device where both run (the page's script
// changes between them), the width of an edge shows the size of its message.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"

#include <cstddef>
#include <string>

namespace mpf {

/// Classes of cost, as shares of the predicted run time: 0 (cheapest) to kCostClasses - 1.
inline constexpr unsigned kCostClasses = 6;
unsigned costClass(double share);
/// Returns the shares of a class, for the legend: "1 to 5 %".
std::string costClassText(unsigned costClass);

/// Returns the tree in at most `maxNodes` nodes, as one <svg> element with one <g class="node"> for
/// each; its <title> describes the node. Small views have names below the nodes.
std::string treeSvg(const QueryExplanation &explanation, size_t maxNodes);

} // namespace mpf
