// A paper's items as text, JSON and a page: nothing is lost, series keep their colours.
#include "tools/mpf-bench/report/paper_report.h"

#include "tools/mpf-bench/report/plot.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpf::bench {
namespace {

PaperReport twoItems() {
  PaperItem table{"table 1", "peaks", "random buckets", {}, {}, {}, {}};
  table.table = {{"device", "GFLOP/s"}, {{"CPU, 1 thread", "4.5"}, {"GPU <x>", "900"}}};
  PaperItem figure{"figure 5", "speeds", "the same", {"operations", "speed"}, {}, {}, {}};
  figure.dots = {{"CPU", 10, 1, "one"}, {"CPU", 100, 2, ""}, {"GPU", 10, 50, ""}};
  figure.links = {{0, 2}};
  return {"Author: Title", "a machine", "mpf-bench paper", {table, figure}};
}

TEST(PaperReport, TextHasTheTableOrTheRangeOfEachSeries) {
  const PaperReport report = twoItems();
  const std::string table = paperItemText(report.items[0]);
  EXPECT_NE(table.find("table 1: peaks\n  here: random buckets\n"), std::string::npos) << table;
  EXPECT_NE(table.find("  CPU, 1 thread      4.5\n"), std::string::npos) << table;
  const std::string figure = paperItemText(report.items[1]);
  EXPECT_NE(figure.find("  CPU: 2 dots, speed from 1 to 2\n"), std::string::npos) << figure;
}

TEST(PaperReport, JsonHasRowsAndDots) {
  const auto json = nlohmann::json::parse(paperJson(twoItems()));
  EXPECT_EQ(json["items"][0]["rows"][1][0], "GPU <x>");
  EXPECT_EQ(json["items"][1]["dots"].size(), 3u);
  EXPECT_EQ(json["items"][1]["dots"][2]["series"], "GPU");
}

TEST(PaperReport, PageEscapesNamesAndDrawsSeriesInTheirColours) {
  const std::string page = paperPage(twoItems());
  EXPECT_NE(page.find("GPU &lt;x&gt;"), std::string::npos);
  EXPECT_EQ(page.find("GPU <x>"), std::string::npos);
  EXPECT_NE(page.find(std::string("fill=\"") + seriesColour(1)), std::string::npos);
  EXPECT_NE(page.find("#bbb"), std::string::npos) << "the link";
  EXPECT_EQ(page, paperPage(twoItems()));
}

} // namespace
} // namespace mpf::bench
