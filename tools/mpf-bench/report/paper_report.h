// What a command shows of a paper, item by item, as text, JSON and a page with plots.
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
  bool joined = true; ///< the dots of a series
};

/// A table or a figure of the paper, with what was measured here in its place.
struct PaperItem {
  std::string name;  ///< "table 1", "figure 5(a)"
  std::string paper; ///< what it shows there
  std::string here;  ///< what is run in its place; or why nothing is
  PaperAxes axes;
  PaperTable table;                             ///< may be empty
  std::vector<PaperDot> dots;                   ///< of a series in order; may be empty
  std::vector<std::pair<size_t, size_t>> links; ///< between dots
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
