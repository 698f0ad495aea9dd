// Prints the report as one HTML page. The page fetches nothing; a content security policy enforces
// that.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"

#include <string>

namespace mpf {

/// Returns the page. Template, style and script are report.html, report.css and report.js, embedded
/// by the build. Everything can be read without the script, which adds the details of a selected
/// node, the keys, and the choice among views of the tree.
std::string explanationHtml(const Explanation &explanation);

} // namespace mpf
