// The figures of `mpf-bench cases` as text, JSON and a page with a picture.
#pragma once

#include "tools/mpf-bench/cases/case_rates.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// A line for each solver, as soon as a list is done.
std::string caseListText(const CaseList &list);

/// One table of all: a line for each solver of each list.
std::string caseTableText(const std::vector<CaseList> &lists);

/// {"command", "lists": [{"model", "task", "rows", "source", "rates": [...]}]}
std::string casesJson(const std::string &command, const std::vector<CaseList> &lists);

/// For each task rows a second over networks, a colour for each solver, then the table. No script
/// and no outside reference; equal input gives equal bytes.
std::string casesPage(const std::string &command, const std::vector<CaseList> &lists);

} // namespace mpf::bench
