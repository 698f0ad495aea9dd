// The figures of `mpf-bench cases` as text, JSON and a page with a picture.
#pragma once

#include "tools/mpf-bench/cases/case_rates.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// Returns a line for each solver of one list.
std::string caseListText(const CaseList &list);

/// Returns a table of all lists: a line for each solver of each list.
std::string caseTableText(const std::vector<CaseList> &lists);

/// {"command", "lists": [{"model", "task", "rows", "source", "rates": [...]}]}
std::string casesJson(const std::string &command, const std::vector<CaseList> &lists);

/// Returns an HTML page. It plots, for each task, rows per second over networks, with a colour for
/// each solver; the table follows. No script and no outside reference; equal input gives equal
/// bytes.
std::string casesPage(const std::string &command, const std::vector<CaseList> &lists);

} // namespace mpf::bench
