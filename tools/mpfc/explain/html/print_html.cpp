#include "tools/mpfc/explain/html/print_html.h"

#include "tools/mpfc/explain/facts/facts.h"
#include "tools/mpfc/explain/html/draw_network.h"
#include "tools/mpfc/explain/html/html_sections.h"
#include "tools/mpfc/explain/html/html_text.h"

#include <fmt/format.h>

namespace mpf {

extern const std::string_view kReportTemplate;
extern const std::string_view kReportStyle;
extern const std::string_view kReportScript;

namespace {

std::string orderSection(const QueryExplanation &query) {
  if (query.order.empty())
    return "<p>Nothing is left to eliminate.</p>\n";
  return fmt::format("<details><summary>Elimination order of {} variables, first eliminated "
                     "first</summary><p class=\"order\">{}</p></details>\n",
                     query.order.size(),
                     escapedHtml(joinNames(query.order, 5000, " \xE2\x80\xBA ")));
}

std::string planSections(const QueryExplanation &query, size_t index) {
  std::string html = "<h3>Bucket tree</h3>\n" + treeSection(query, index);
  html += "<h3>Memory over time</h3>\n" + memorySection(query);
  html += "<h3>Costliest buckets</h3>\n" + costliestSection(query, index);
  html += chainSection(query);
  html += "<h3>Predicted time</h3>\n" + phaseSection(query);
  html += timelineSection(query);
  html += "<h3>Order</h3>\n" + orderSection(query);
  return html;
}

std::string querySection(const QueryExplanation &query, size_t index) {
  std::string html = fmt::format(
      "<section class=\"query\" id=\"q{0}\" aria-labelledby=\"q{0}-title\">\n"
      "<h2 id=\"q{0}-title\">{1}</h2>\n<p class=\"headline\">{2}</p>\n<p "
      "class=\"setting\">{3}</p>\n",
      index, escapedHtml(query.query), escapedHtml(headline(query)),
      escapedHtml(fmt::format("{} query{}{}, {} tables{}", query.kind,
                              query.semiring.empty() ? "" : " in ", query.semiring, query.element,
                              query.showsGpu() ? ", kernels for " + query.target : std::string())));
  html += warningSection(query) + adviceSection(query);
  html += "<div class=\"cards\">\n";
  if (query.network)
    html += factCard("Network", networkFactList(*query.network));
  if (query.cases)
    html += factCard("Cases of " + query.cases->source, caseFactList(query));
  if (query.planned) {
    html += factCard("Plan", planFactList(query));
    html += factCard("Memory", memoryFactList(query));
  }
  html += "</div>\n";
  if (query.picture)
    html += "<h3>Network</h3>\n" + networkSection(*query.picture);
  for (const PassTable &table : query.passes)
    html += passSection(table);
  if (query.cases)
    html += tableSection(frontierTable(*query.cases)) + tableSection(engineTable(*query.cases));
  if (query.planned)
    html += planSections(query, index);
  return html + "</section>\n";
}

} // namespace

std::string explanationHtml(const Explanation &explanation) {
  std::string navigation, sections;
  bool showsGpu = false;
  for (size_t i = 0; i < explanation.queries.size(); ++i) {
    navigation += fmt::format("<a href=\"#q{}\">{}</a>\n", i,
                              escapedHtml(elided(displayText(explanation.queries[i].query), 40)));
    sections += querySection(explanation.queries[i], i);
    showsGpu = showsGpu || explanation.queries[i].showsGpu();
  }
  if (explanation.queries.size() == 1)
    navigation.clear();
  return filledTemplate(kReportTemplate, {{"title", escapedHtml(explanation.model)},
                                          {"model", escapedHtml(explanation.model)},
                                          {"style", std::string(kReportStyle)},
                                          {"script", std::string(kReportScript)},
                                          {"navigation", navigation},
                                          {"sections", sections},
                                          {"glossary", glossarySection(showsGpu)}});
}

} // namespace mpf
