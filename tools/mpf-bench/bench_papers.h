// `mpf-bench paper`: what a paper's tables and figures show, measured on this machine.
#pragma once

#include "tools/mpf-bench/papers/paper_options.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// The names of the papers, for command lines.
std::vector<std::string> paperNames();

/// Prints each item as it comes; writes JSON and the page. Throws Error(Usage) for an item that the
/// paper lacks, and as the measurements do.
void benchPaper(const PaperOptions &options);

} // namespace mpf::bench
