#include "tools/mpf-bench/report/paper_report.h"

#include "tools/mpf-bench/report/html_page.h"
#include "tools/mpf-bench/report/plot.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace mpf::bench {

namespace {

std::vector<std::string> seriesOf(const PaperItem &item) {
  std::vector<std::string> names;
  for (const PaperDot &dot : item.dots)
    if (std::find(names.begin(), names.end(), dot.series) == names.end())
      names.push_back(dot.series);
  return names;
}

std::string tableText(const PaperTable &table) {
  std::vector<size_t> widths;
  for (const std::string &column : table.columns)
    widths.push_back(column.size());
  for (const auto &row : table.rows)
    for (size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], row[c].size());
  const auto line = [&](const std::vector<std::string> &cells) {
    std::string text = " ";
    for (size_t c = 0; c < cells.size(); ++c)
      text += c == 0 ? fmt::format(" {:<{}}", cells[c], widths[c])
                     : fmt::format("  {:>{}}", cells[c], widths[c]);
    return text + "\n";
  };
  std::string text = table.rows.empty() ? "" : line(table.columns);
  for (const auto &row : table.rows)
    text += line(row);
  return text;
}

/// Returns a line for each series, for items without a table.
std::string dotsText(const PaperItem &item) {
  std::string text;
  for (const std::string &series : seriesOf(item)) {
    const PaperDot *least = nullptr, *most = nullptr;
    size_t count = 0;
    for (const PaperDot &dot : item.dots)
      if (dot.series == series) {
        ++count;
        least = !least || dot.y < least->y ? &dot : least;
        most = !most || dot.y > most->y ? &dot : most;
      }
    text += fmt::format("  {}: {} dots, {} from {:.4g} to {:.4g}\n", series, count, item.axes.y,
                        least->y, most->y);
  }
  return text;
}

std::string tableHtml(const PaperTable &table) {
  if (table.rows.empty())
    return {};
  std::string text = "<table>\n<tr>";
  for (const std::string &column : table.columns)
    text += fmt::format("<th>{}</th>", escapeHtml(column));
  text += "</tr>\n";
  for (const auto &row : table.rows) {
    text += "<tr>";
    for (const std::string &cell : row)
      text += fmt::format("<td>{}</td>", escapeHtml(cell));
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

std::string plotHtml(const PaperItem &item) {
  if (item.dots.empty())
    return {};
  const std::vector<std::string> series = seriesOf(item);
  Plot plot;
  plot.xLabel = item.axes.x;
  plot.yLabel = item.axes.y;
  plot.logX = item.axes.logX;
  plot.logY = item.axes.logY;
  plot.joined = item.axes.joined;
  plot.links = item.links;
  for (const PaperDot &dot : item.dots) {
    const auto at = std::find(series.begin(), series.end(), dot.series) - series.begin();
    plot.dots.push_back({dot.x, dot.y, seriesColour(static_cast<size_t>(at)), dot.title});
    plot.mostY = std::max(plot.mostY, dot.y); // from 0, where the axis is linear
  }
  std::string text = "<p>";
  for (size_t s = 0; s < series.size(); ++s)
    text += fmt::format("<span class=\"key\" style=\"background:{}\"></span> {} &nbsp; ",
                        seriesColour(s), escapeHtml(series[s]));
  return text + "</p>\n<figure>\n" + svgText(plot) + "</figure>\n";
}

} // namespace

std::string paperItemText(const PaperItem &item) {
  std::string text = fmt::format("{}: {}\n  here: {}\n", item.name, item.paper, item.here);
  return text + tableText(item.table) + (item.table.rows.empty() ? dotsText(item) : "");
}

std::string paperJson(const PaperReport &report) {
  nlohmann::ordered_json out{{"paper", report.title},
                             {"machine", report.machine},
                             {"command", report.command},
                             {"items", nlohmann::ordered_json::array()}};
  for (const PaperItem &item : report.items) {
    nlohmann::ordered_json dots = nlohmann::ordered_json::array();
    for (const PaperDot &dot : item.dots)
      dots.push_back({{"series", dot.series}, {"x", dot.x}, {"y", dot.y}});
    out["items"].push_back({{"name", item.name},
                            {"paper", item.paper},
                            {"here", item.here},
                            {"columns", item.table.columns},
                            {"rows", item.table.rows},
                            {"x", item.axes.x},
                            {"y", item.axes.y},
                            {"dots", dots}});
  }
  return out.dump(1) + "\n";
}

std::string paperPage(const PaperReport &report) {
  std::string text = pageHead(report.title);
  text += fmt::format("<p>{}; <code>{}</code></p>\n", escapeHtml(report.machine),
                      escapeHtml(report.command));
  for (const PaperItem &item : report.items)
    text += fmt::format("<h2>{}</h2>\n<p>In the paper: {}.</p>\n<p>Here: {}</p>\n",
                        escapeHtml(item.name), escapeHtml(item.paper), escapeHtml(item.here)) +
            plotHtml(item) + tableHtml(item.table);
  return text + "</body>\n</html>\n";
}

} // namespace mpf::bench
