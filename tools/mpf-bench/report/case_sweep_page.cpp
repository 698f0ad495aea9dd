#include "tools/mpf-bench/report/case_sweep_page.h"

#include "tools/mpf-bench/report/html_page.h"
#include "tools/mpf-bench/report/plot.h"

#include <algorithm>
#include <fmt/core.h>
#include <functional>
#include <nlohmann/json.hpp>

namespace mpf::bench {

namespace {

/// Returns the colour of a way, from the palette of seriesColour (plot.h).
const char *colourOf(const std::string &way) {
  return way == "single runs"    ? "#d55e00"
         : way == "teams"        ? "#009e73"
         : way == "table-driven" ? "#cc79a7"
                                 : "#0072b2";
}

std::string titleOf(const SweepPoint &point) {
  return fmt::format("{}, v = {}: {:.4g} rows/s\n{:.2f} us in, {:.2f} us to answer, {:.2f} us out",
                     point.way, point.v, point.rowsPerSecond(), point.inUs, point.runUs,
                     point.outUs);
}

/// Prints table I: the bytes that an application reads and writes.
std::string overviewTable(const std::vector<CaseSweep> &sweeps) {
  std::string text = "<table>\n<tr><th>network</th><th>query</th><th>type</th><th>columns</th>"
                     "<th>steps of a lane</th><th>bytes of a case</th><th>of its messages</th>"
                     "<th>of shared tables</th><th>of its answers</th></tr>\n";
  for (const CaseSweep &sweep : sweeps)
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
                        "<td>{}</td><td>{}</td><td>{}</td></tr>\n",
                        escapeHtml(sweep.model), escapeHtml(sweep.query), sweep.type, sweep.columns,
                        sweep.steps, sweep.rowBytes, sweep.messageBytes, sweep.sharedBytes,
                        sweep.answerBytes);
  return text + "</table>\n";
}

/// Prints figure 6 in numbers: the parts of each way's time, for one case.
std::string partsTable(const CaseSweep &sweep) {
  std::string text = "<table>\n<tr><th>way</th><th>v</th><th>us in</th><th>us to answer</th>"
                     "<th>us out</th><th>rows/s</th><th>times single runs</th></tr>\n";
  for (const SweepPoint &point : sweep.points)
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.4g}</td><td>{:.4g}</td><td>{:.4g}</td>"
                        "<td>{:.4g}</td><td>{:.1f}</td></tr>\n",
                        point.way, point.v, point.inUs / point.v, point.runUs / point.v,
                        point.outUs / point.v, point.rowsPerSecond(),
                        point.rowsPerSecond() / sweep.points.front().rowsPerSecond());
  return text + "</table>\n";
}

std::string figureText(const CaseSweep &sweep, const std::string &label,
                       double (*value)(const CaseSweep &, const SweepPoint &)) {
  Plot plot{"v: cases at a time", label, true, 0, 0, {value(sweep, sweep.points.front())}, {}};
  for (const SweepPoint &point : sweep.points)
    plot.dots.push_back(
        {static_cast<double>(point.v), value(sweep, point), colourOf(point.way), titleOf(point)});
  return "<figure>\n" + svgText(plot) + "</figure>\n";
}

double wholeRate(const CaseSweep &, const SweepPoint &point) { return point.rowsPerSecond(); }
double answerRate(const CaseSweep &, const SweepPoint &point) { return point.answeredPerSecond(); }
double bandwidth(const CaseSweep &sweep, const SweepPoint &point) {
  return point.answeredPerSecond() * static_cast<double>(sweep.movedBytes) * 1e-9;
}

std::string sweepFigures(const CaseSweep &sweep) {
  CaseSweep lanes = sweep; // what single runs move is not what lanes do
  std::erase_if(lanes.points, [](const SweepPoint &point) { return point.way == "single runs"; });
  std::string text = fmt::format("<h2>{}, {}, {}</h2>\n<p>{}</p>\n", escapeHtml(sweep.model),
                                 escapeHtml(sweep.query), sweep.type, escapeHtml(sweep.device));
  text += figureText(sweep, "rows / s, with all copies", wholeRate);
  text += figureText(sweep, "rows / s of answering alone", answerRate);
  if (!lanes.points.empty())
    text += figureText(lanes, "10^9 bytes / s that lanes read and write", bandwidth);
  return text + partsTable(sweep);
}

/// Most steps that are printed one by one.
constexpr size_t kPrintedSteps = 25;

std::string stepText(const SweepStep &step) {
  return fmt::format("  {:9.3f} us {:6.2f} {:10} {:6} {:10} {:8} {:3} {} = {}\n", step.threadUs,
                     step.multiplyAdds() / step.threadUs / 1e3, step.resultElems, step.terms,
                     step.messageElems, step.sharedElems, step.isRescaled ? "yes" : "", step.name,
                     step.operands);
}

std::string profileText(const CaseSweep &sweep) {
  if (sweep.profile.empty())
    return "";
  std::vector<SweepStep> steps = sweep.profile;
  std::ranges::stable_sort(steps, std::greater{}, &SweepStep::threadUs);
  std::string text = fmt::format("  steps of lanes, {} cases at a time; of a case: time of one "
                                 "thread, 10^9 multiply-adds / s, entries written, terms of each, "
                                 "entries of operands by case, shared, rescaled\n",
                                 sweep.profiledCases);
  SweepStep sum;
  double products = 0, rescaledUs = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (i < kPrintedSteps)
      text += stepText(steps[i]);
    sum.threadUs += steps[i].threadUs;
    sum.resultElems += steps[i].resultElems;
    products += steps[i].multiplyAdds();
    rescaledUs += steps[i].isRescaled ? steps[i].threadUs : 0;
  }
  return text + fmt::format("  {:9.3f} us {:6.2f} {:10} all {} steps, {:.0f} multiply-adds; {:.3f} "
                            "us in steps that rescale\n",
                            sum.threadUs, products / sum.threadUs / 1e3, sum.resultElems,
                            steps.size(), products, rescaledUs);
}

} // namespace

std::string sweepText(const CaseSweep &sweep) {
  std::string text = fmt::format(
      "{} {} {}, {}: {} steps, {} bytes of messages, {} shared; largest relative error {:.2g}\n",
      sweep.model, sweep.query, sweep.type, sweep.device, sweep.steps, sweep.messageBytes,
      sweep.sharedBytes, sweep.largestError);
  for (const SweepPoint &point : sweep.points)
    text += fmt::format(
        "  {:11} v {:>7}: {:9.4g} rows/s, {:7.1f} times single runs; a case: "
        "{:.4g} us in, {:.4g} us to answer, {:.4g} us out; {:.4g} us of processors\n",
        point.way, point.v, point.rowsPerSecond(),
        point.rowsPerSecond() / sweep.points.front().rowsPerSecond(), point.inUs / point.v,
        point.runUs / point.v, point.outUs / point.v, point.processorUs / point.v);
  return text + profileText(sweep);
}

std::string sweepJson(const std::string &command, const std::vector<CaseSweep> &sweeps) {
  nlohmann::ordered_json out{{"command", command}, {"sweeps", nlohmann::ordered_json::array()}};
  for (const CaseSweep &sweep : sweeps) {
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (const SweepPoint &point : sweep.points)
      points.push_back({{"way", point.way},
                        {"cases_at_a_time", point.v},
                        {"in_us", point.inUs},
                        {"answer_us", point.runUs},
                        {"out_us", point.outUs},
                        {"processor_us", point.processorUs},
                        {"rows_per_second", point.rowsPerSecond()}});
    out["sweeps"].push_back({{"model", sweep.model},
                             {"query", sweep.query},
                             {"type", sweep.type},
                             {"device", sweep.device},
                             {"columns", sweep.columns},
                             {"steps", sweep.steps},
                             {"row_bytes", sweep.rowBytes},
                             {"message_bytes", sweep.messageBytes},
                             {"shared_bytes", sweep.sharedBytes},
                             {"answer_bytes", sweep.answerBytes},
                             {"moved_bytes", sweep.movedBytes},
                             {"largest_relative_error", sweep.largestError},
                             {"points", points}});
  }
  return out.dump(1) + "\n";
}

std::string sweepPage(const std::string &command, const std::vector<CaseSweep> &sweeps) {
  std::string text = pageHead("Cases at a time");
  text += fmt::format("<p><code>{}</code></p>\n<p>Orange: single runs, one after the other; the "
                      "dashed line is their rate (of the last figure, that of the least v). Blue: "
                      "lanes, a thread for each case on a GPU. Green: tables in the memory of the "
                      "device, warps for 32 cases. Times <i>in</i> are for interleaving the rows "
                      "and for copying them to the device.</p>\n",
                      escapeHtml(command));
  text += overviewTable(sweeps);
  for (const CaseSweep &sweep : sweeps)
    text += sweepFigures(sweep);
  return text + "</body>\n</html>\n";
}

} // namespace mpf::bench
