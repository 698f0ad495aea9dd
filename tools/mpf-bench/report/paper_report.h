// Prints the items of a paper, with the results measured here, as text, JSON and a page with plots.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace mpf::bench {

struct PaperDot {
  std::string series;
  double x = 0, y = 0;
  std::string title; ///< shown while the pointer rests on the dot
};

struct PaperTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows; ///< as long as `columns`
};

struct PaperAxes {
  std::string x, y;
  bool logX = true, logY = true;
  bool joined = true; ///< whether lines join the dots of a series
};

/// A table or a figure of the paper, with the results measured here.
struct PaperItem {
  std::string name;  ///< "table 1", "figure 5(a)"
  std::string paper; ///< description of the paper's item
  std::string here;  ///< description of what is run here; or why nothing is
  PaperAxes axes;
  PaperTable table;                             ///< may be empty
  std::vector<PaperDot> dots;                   ///< dots, in order for each series; may be empty
  std::vector<std::pair<size_t, size_t>> links; ///< lines between dots, by index
};

struct PaperReport {
  std::string title;   ///< author, title, year
  std::string machine; ///< processor and GPU, or that there is none
  std::string command;
  std::vector<PaperItem> items;
};

std::string paperItemText(const PaperItem &item);

/// {"paper", "machine", "command", "items": [{"name", "paper", "here", "columns", "rows", "x", "y",
/// "dots": [{"series", "x", "y"}]}]}
std::string paperJson(const PaperReport &report);

/// The page has no script and no outside reference. Equal input gives equal bytes.
std::string paperPage(const PaperReport &report);

} // namespace mpf::bench
