// `mpf-bench paper`: measures the tables and figures of a paper on this machine.
#pragma once

#include "tools/mpf-bench/papers/paper_options.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// Returns the names of the papers, for command lines.
std::vector<std::string> paperNames();

/// Prints each item as soon as it is measured; writes JSON and the page. Throws Error(Usage) for an
/// item that the paper lacks, and the errors of the measurements.
void benchPaper(const PaperOptions &options);

} // namespace mpf::bench
