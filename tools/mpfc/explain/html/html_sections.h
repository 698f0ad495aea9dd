// The sections of the page, each made from the explanation as a piece of HTML.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"
#include "tools/mpfc/explain/facts/facts.h"

#include <string>
#include <vector>

namespace mpf {

std::string warningSection(const QueryExplanation &query); ///< empty without warnings
std::string adviceSection(const QueryExplanation &query);  ///< empty without advice
std::string factCard(const std::string &title, const std::vector<Fact> &facts);
std::string tableSection(const FactTable &table); ///< empty without rows
std::string passSection(const PassTable &table);  ///< the passes that changed something

/// Returns the views of the tree, a legend and the place where the script shows the selected node.
/// `index` is the query's number in the page, which makes ids unique.
std::string treeSection(const QueryExplanation &query, size_t index);
std::string costliestSection(const QueryExplanation &query, size_t index);
std::string chainSection(const QueryExplanation &query); ///< empty without chains of a GPU
std::string memorySection(const QueryExplanation &query);
std::string phaseSection(const QueryExplanation &query);
std::string timelineSection(const QueryExplanation &query); ///< empty without bars
std::string glossarySection(bool showsGpu);

} // namespace mpf
