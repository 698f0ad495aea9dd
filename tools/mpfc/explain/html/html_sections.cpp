#include "tools/mpfc/explain/html/html_sections.h"

#include "tools/mpfc/explain/facts/report_words.h"
#include "tools/mpfc/explain/facts/timeline_facts.h"
#include "tools/mpfc/explain/html/draw_memory.h"
#include "tools/mpfc/explain/html/draw_timeline.h"
#include "tools/mpfc/explain/html/draw_tree.h"
#include "tools/mpfc/explain/html/html_text.h"
#include "tools/mpfc/explain/html/tree_view.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

namespace mpf {

namespace {

/// Nodes in each view of the tree: an overview with names, a middle one, a map.
constexpr std::array<size_t, 3> kViews = {40, 150, 600};

constexpr const char *kColourButton =
    "<button type=\"button\" data-colour aria-pressed=\"true\">colour by device</button>";

/// Explains the colours, outlines and letters of the tree if both devices run.
std::string deviceLegend(const QueryExplanation &query) {
  std::string legend = "<ul class=\"legend devices\" aria-label=\"Colours: device\">";
  for (const auto &[kind, text] : {std::pair<const char *, std::string>("on-cpu", "C: cpu"),
                                   {"on-gpu", "G: " + query.target},
                                   {"on-both", "C+G: some on each"}})
    legend += legendItem(kind, text);
  return legend + "</ul>\n";
}

bool isNews(const PassTable &table, const PassRow *before, const PassRow &row, size_t column) {
  return !table.differences && before != nullptr && before->values[column] != row.values[column];
}

} // namespace

std::string adviceSection(const QueryExplanation &query) {
  if (query.advice.empty())
    return {};
  std::string html = "<ul class=\"warnings advice\" aria-label=\"Advice\">\n";
  for (const std::string &advice : query.advice)
    html += fmt::format("<li><b>advice</b> {}</li>\n", escapedHtml(advice));
  return html + "</ul>\n";
}

std::string warningSection(const QueryExplanation &query) {
  if (query.warnings.empty())
    return {};
  std::string html = "<ul class=\"warnings\" aria-label=\"Warnings\">\n";
  for (const ExplainWarning &warning : query.warnings)
    html += fmt::format("<li class=\"{0}\"><b>{0}</b> {1}</li>\n", warningName(warning.kind),
                        escapedHtml(warning.text));
  return html + "</ul>\n";
}

std::string factCard(const std::string &title, const std::vector<Fact> &facts) {
  std::string html = fmt::format("<div class=\"card\"><h3>{}</h3><dl>\n", escapedHtml(title));
  for (const Fact &fact : facts)
    html += fmt::format(
        "<dt>{}</dt><dd>{}{}</dd>\n", escapedHtml(fact.name), escapedHtml(fact.value),
        fact.note.empty() ? "" : fmt::format("<small>{}</small>", escapedHtml(fact.note)));
  return html + "</dl></div>\n";
}

std::string tableSection(const FactTable &table) {
  if (table.rows.empty())
    return {};
  std::string html =
      fmt::format("<h3>{}</h3>\n<div class=\"scroll\"><table class=\"facts\"><thead><tr>",
                  escapedHtml(table.title));
  for (const std::string &column : table.columns)
    html += fmt::format("<th scope=\"col\">{}</th>", escapedHtml(column));
  html += "</tr></thead><tbody>\n";
  for (const std::vector<std::string> &row : table.rows) {
    html += fmt::format("<tr><th scope=\"row\">{}</th>", escapedHtml(row.front()));
    for (size_t c = 1; c < row.size(); ++c)
      html += fmt::format("<td>{}</td>", escapedHtml(row[c]));
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string passSection(const PassTable &table) {
  std::string html =
      fmt::format("<h3>{}</h3>\n<div class=\"scroll\"><table><thead><tr><th "
                  "scope=\"col\">{}</th>",
                  escapedHtml(table.title), table.differences ? "pass" : "after pass");
  for (const std::string &column : table.columns)
    html += fmt::format("<th scope=\"col\" class=\"number\">{}</th>", escapedHtml(column));
  html += "<th scope=\"col\">what it does</th></tr></thead><tbody>\n";
  const PassRow *before = nullptr;
  size_t idle = 0;
  for (const PassRow &row : table.rows) {
    if (!row.changed) {
      ++idle;
      continue;
    }
    html += fmt::format("<tr><th scope=\"row\">{}</th>", escapedHtml(row.pass));
    for (size_t c = 0; c < row.values.size(); ++c)
      html +=
          fmt::format("<td class=\"number{}\">{}</td>",
                      isNews(table, before, row, c) ? " changed" : "", escapedHtml(row.values[c]));
    html += fmt::format("<td class=\"what\">{}</td></tr>\n", passMeaning(row.pass));
    before = &row;
  }
  html += "</tbody></table></div>\n";
  if (idle > 0)
    html += fmt::format("<p>{} other pass{} changed nothing.</p>\n", idle, idle == 1 ? "" : "es");
  return html;
}

std::string treeSection(const QueryExplanation &query, size_t index) {
  const size_t buckets = treeBuckets(query);
  if (buckets == 0)
    return "<p>The answer is a product of constants: there are no buckets.</p>\n";
  std::vector<size_t> views;
  for (const size_t view : kViews)
    if (views.empty() || views.back() < buckets)
      views.push_back(view);
  std::string buttons, drawings;
  for (size_t i = 0; i < views.size(); ++i) {
    const bool all = views[i] >= buckets;
    buttons += fmt::format(
        "<button type=\"button\" data-view=\"{}\" aria-pressed=\"{}\">{}</button>\n", i,
        i == 0 ? "true" : "false",
        all ? fmt::format("all {} buckets", buckets) : fmt::format("{} nodes", views[i]));
    drawings += fmt::format("<div class=\"view\" data-view=\"{}\"{}>{}</div>\n", i,
                            i == 0 ? "" : " hidden", treeSvg(query, views[i]));
  }
  std::string legend;
  for (unsigned i = kCostClasses; i-- > 0;)
    legend += legendItem(fmt::format("c{}", i), costClassText(i));
  const bool both = query.usesBothDevices();
  return fmt::format(
      "<p>Each node is a bucket; its message goes up to the next, the root holds the answer. "
      "Numbers "
      "in circles are ranks in the table below, a pill folds a run of cheaper buckets, a triangle "
      "a subtree of them; edges are as wide as their messages are large (log scale).{4}</p>\n"
      "<div class=\"tree{5}\" id=\"q{0}-tree\">\n"
      "<div class=\"toolbar\" role=\"group\" aria-label=\"Detail of the tree\">{1}"
      "<button type=\"button\" data-fit aria-pressed=\"false\">fit to width</button>{6}</div>\n"
      "{7}<ul class=\"legend costs\" aria-label=\"Colours: share of the predicted run "
      "time\">{2}</ul>\n"
      "<div class=\"scroll drawing\">{3}</div>\n"
      "<pre class=\"detail\" aria-live=\"polite\">Select a node: click, or Tab and the arrow "
      "keys.</pre>\n</div>\n",
      index, buttons, legend, drawings,
      both ? " Dashed edges are messages that are copied from one device to the other." : "",
      both ? " by-device" : "", both ? kColourButton : "", both ? deviceLegend(query) : "");
}

std::string chainSection(const QueryExplanation &query) {
  if (query.chains.empty() || !query.showsGpu())
    return {};
  std::string html = fmt::format(
      "<h3>Chains</h3>\n<p>On {} consecutive buckets can run as one kernel, which reads each page "
      "of the message once.</p>\n<div class=\"scroll\"><table class=\"chains\"><thead><tr>"
      "<th scope=\"col\">results</th><th scope=\"col\" class=\"number\">buckets</th>"
      "<th scope=\"col\" class=\"number\">message</th><th scope=\"col\" class=\"number\">one by "
      "one</th><th scope=\"col\" class=\"number\">as one</th><th scope=\"col\">kernel</th></tr>"
      "</thead><tbody>\n",
      escapedHtml(query.target));
  for (const ChainFacts &chain : query.chains)
    html += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
        escapedHtml(chainText(query, chain)), chain.count, formatCount(chain.messageEntries),
        formatTime(chain.aloneUs), chain.kernel.empty() ? "-" : formatTime(chain.chainUs),
        chain.kernel.empty() ? "not worth one" : escapedHtml(chain.kernel));
  return html + "</tbody></table></div>\n";
}

std::string phaseSection(const QueryExplanation &query) {
  double longest = 0;
  for (const PhaseTime &phase : query.phases)
    longest = query.shows(phase) ? std::max(longest, phase.timeUs) : longest;
  std::string html = fmt::format(
      "<p><code>--device {}</code> takes {}.</p>\n<div class=\"scroll\"><table><thead><tr>"
      "<th scope=\"col\">device</th><th scope=\"col\">phase</th><th scope=\"col\" "
      "class=\"number\">time</th><th scope=\"col\">paid</th><th scope=\"col\" class=\"wide\">share "
      "of the longest</th><th scope=\"col\">what</th></tr></thead><tbody>\n",
      escapedHtml(query.askedDevice), escapedHtml(query.autoDevice));
  for (const PhaseTime &phase : query.phases) {
    if (!query.shows(phase))
      continue;
    html += fmt::format(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"number\">{}</td><td>{}</td><td>"
        "<span class=\"bar\" style=\"width:{}%\"></span></td><td class=\"what\">{}</td></tr>\n",
        escapedHtml(phase.device), escapedHtml(phase.phase), formatTime(phase.timeUs),
        phase.once ? "once" : "every run",
        svgNumber(longest > 0 ? 100 * phase.timeUs / longest : 0), escapedHtml(phase.why));
  }
  return html + fmt::format("</tbody></table></div>\n<p>Times go {}.</p>\n",
                            escapedHtml(speedText(query)));
}

std::string timelineSection(const QueryExplanation &query) {
  const std::string drawing = timelineSvg(query);
  if (drawing.empty())
    return {};
  std::string legend;
  for (const std::string &lane : query.timeline.lanes)
    legend += lane == query.target ? legendItem("on-gpu", lane)
              : lane == kCpuDevice ? legendItem("on-cpu", lane)
                                   : legendItem("on-both", lane + ": copies");
  return fmt::format(
      "<h3>Time line</h3>\n<p>{}. A bar is a bucket, or several that follow each other; short bars "
      "are drawn as one. Point at a bar for its names and times.</p>\n"
      "<ul class=\"legend\" aria-label=\"Colours: device\">{}</ul>\n"
      "<div class=\"scroll\">{}</div>\n",
      escapedHtml(timelineTitle(query)), legend, drawing);
}

std::string memorySection(const QueryExplanation &query) {
  const std::string drawing = memorySvg(query);
  if (query.memory.steps.empty())
    return drawing;
  std::string legend;
  for (const auto &[style, text] : {std::pair("memory-live", "messages that are still needed"),
                                    {"memory-inputs", "tables of the model"}})
    legend += legendItem(style, text);
  return fmt::format(
      "<p>From left to right the buckets, as they run; the height is the memory of all tables at "
      "that time. The dashed line is the memory that the run takes, a red one is a bound. The dot "
      "is the peak. Point at a bucket for its name.</p>\n"
      "<ul class=\"legend\" aria-label=\"Colours: memory\">{}</ul>\n"
      "<div class=\"scroll\">{}</div>\n",
      legend, drawing);
}

std::string glossarySection(bool showsGpu) {
  std::string html = "<section class=\"query\"><details class=\"glossary\"><summary>Words of this "
                     "page</summary>\n<dl>\n";
  for (const ReportWord &word : reportWords())
    if (showsGpu || !word.ofGpu)
      html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escapedHtml(word.word),
                          escapedHtml(word.meaning));
  return html + "</dl></details></section>\n";
}

} // namespace mpf
