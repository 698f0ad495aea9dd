// Draws the network of a query as SVG: variables, and the factors that join them.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"

#include <string>

namespace mpf {

/// Returns a paragraph, a legend and one <svg> element with a <g class="variable"> for each node,
/// whose <title> describes it. Pictures of up to 120 variables have names below the nodes.
std::string networkSection(const NetworkPicture &picture);

} // namespace mpf
