// The figures of a list of cases as text (facts.h).
#include "dsl/support/number_text.h"
#include "tools/mpfc/explain/facts/facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace mpf {

namespace {

constexpr size_t kTablesShown = 20, kDigitsShown = 8;

std::string rateText(double rowsPerSecond) { return formatCount(rowsPerSecond) + " rows/s"; }

std::string timeText(const EngineFacts &engine) { return formatTime(1e6 * engine.listSeconds); }

std::string countText(const CaseFacts &cases) {
  if (!cases.likely)
    return "cases";
  return fmt::format("{}{} {}", cases.rows ? "" : "about ", *cases.likely,
                     *cases.likely == 1 ? "case" : "cases");
}

/// Describes the number of cases for which engines are compared, if it is not the list's number of
/// rows.
std::string expectedText(const CaseFacts &cases) {
  if (!cases.likely)
    return fmt::format("; of unknown length: taken for {} (--runs)", formatCount(cases.expected));
  if (static_cast<double>(*cases.likely) != cases.expected)
    return fmt::format("; {} are expected", formatCount(cases.expected));
  return cases.rows ? "" : "; by the size of the file and its first rows";
}

std::string columnsText(const CaseFacts &cases) {
  std::string text = fmt::format("each may observe {} variables", cases.observed);
  if (cases.likelihoods != 0)
    text += fmt::format(" and weigh the states of {}", cases.likelihoods);
  if (cases.params != 0)
    text +=
        fmt::format("; sets {} params, from which {} tables follow", cases.params, cases.tables);
  if (cases.kept != 0)
    text += fmt::format("; keeps the text of {} columns", cases.kept);
  return text;
}

/// Describes how findings are sent to a GPU.
std::string sentText(const CaseFacts &cases) {
  if (!cases.sentCodeBits)
    return "findings of a case, which the host reads";
  return *cases.sentCodeBits == 4
             ? "findings of a case: a row of the list, unread, two states packed into each byte"
             : "findings of a case: a row of the list, unread, as it is";
}

void addVarying(const std::vector<VaryingFacts> &varying, std::vector<Fact> &facts) {
  for (size_t t = 0; t < std::min(varying.size(), kTablesShown); ++t)
    facts.push_back(
        {"varies: " + displayText(varying[t].name),
         fmt::format("{} {}", varying[t].elems, varying[t].elems == 1 ? "entry" : "entries"),
         "by " + displayText(varying[t].by)});
  if (varying.size() > kTablesShown)
    facts.push_back({"varies", fmt::format("{} more tables", varying.size() - kTablesShown), ""});
}

void addLanes(const LaneFacts &lanes, size_t observed, std::vector<Fact> &facts) {
  facts.push_back({"computed once", fmt::format("{} operations", lanes.commonOperations),
                   fmt::format("{} multiply-adds; cases read {} shared tables of {} entries",
                               formatCount(lanes.commonMultiplyAdds), lanes.sharedTables,
                               formatCount(static_cast<double>(lanes.sharedElems)))});
  if (lanes.frontier.empty())
    facts.push_back({"frontier", "none",
                     "no table over evidence digits: findings enter the products of each case"});
  else
    facts.push_back(
        {"frontier", fmt::format("{} tables", lanes.frontier.size()),
         fmt::format("over evidence digits of {} of {} variables, up to {} entries; findings on {} "
                     "enter products by themselves",
                     lanes.digits, observed, lanes.tableElems, lanes.pickedAlone)});
  facts.push_back({"for each case",
                   fmt::format("{} rows, {} products", lanes.gathers, lanes.products),
                   fmt::format("{} multiply-adds; with rows and stores the work of {}",
                               formatCount(lanes.multiplyAdds), formatCount(lanes.laneCost))});
}

} // namespace

std::string caseHeadline(const CaseFacts &cases) {
  const EngineFacts &chosen = cases.chosen();
  return fmt::format("Would answer {} by {}, {} at a time, predicted {}; {} of many.",
                     countText(cases),
                     chosen.lanes ? chosen.name : chosen.name + " on " + chosen.device,
                     chosen.casesAtOnce, timeText(chosen), rateText(chosen.rowsPerSecond));
}

std::vector<Fact> caseFactList(const QueryExplanation &explanation) {
  const CaseFacts &cases = *explanation.cases;
  const EngineFacts &chosen = cases.chosen();
  std::vector<Fact> facts;
  facts.push_back({"list", cases.likely ? countText(cases) : "any length",
                   columnsText(cases) + expectedText(cases)});
  addVarying(cases.varying, facts);
  facts.push_back(
      {"engine", chosen.name,
       fmt::format("predicted {} for {} cases, {} of many, without reading and writing rows",
                   timeText(chosen), formatCount(cases.expected), rateText(chosen.rowsPerSecond))});
  facts.push_back({"cases at a time", fmt::format("{}", chosen.casesAtOnce),
                   fmt::format("{}; blocks of up to {}", chosen.atOnce, chosen.blockCases)});
  if (chosen.lanes)
    addLanes(*chosen.lanes, cases.observed, facts);
  facts.push_back({"memory of a case", formatBytes(chosen.caseBytes),
                   chosen.lanes ? fmt::format("its messages; {} of findings and answers in a block",
                                              formatBytes(chosen.rowBytes))
                                : "all tables of a run, by its cases"});
  if (chosen.sentCodeBytes != 0)
    facts.push_back({"to the device", fmt::format("{} B", chosen.sentCodeBytes), sentText(cases)});
  if (chosen.lanes)
    facts.push_back({"shared memory", formatBytes(chosen.sharedBytes),
                     "tables and addresses that all cases read"});
  const MemoryFacts &memory = explanation.memory;
  facts.push_back(
      {"bound", memory.boundBytes ? formatBytes(*memory.boundBytes) : "none", memory.boundSource});
  return facts;
}

FactTable frontierTable(const CaseFacts &cases) {
  FactTable table;
  table.title = "tables below the frontier, computed once; a case picks a row by its findings";
  table.columns = {"table", "rows", "entries of a row", "evidence digits"};
  if (!cases.chosen().lanes)
    return table;
  const std::vector<FrontierTable> &frontier = cases.chosen().lanes->frontier;
  for (size_t i = 0; i < std::min(frontier.size(), kTablesShown); ++i)
    table.rows.push_back({displayText(frontier[i].name), formatCount(frontier[i].rows),
                          fmt::format("{}", frontier[i].rowElems),
                          joinNames(frontier[i].variables, kDigitsShown)});
  if (frontier.size() > kTablesShown)
    table.rows.push_back(
        {fmt::format("... {} smaller ones", frontier.size() - kTablesShown), "", "", ""});
  return table;
}

FactTable engineTable(const CaseFacts &cases) {
  FactTable table;
  table.title = fmt::format("engines, in the order in which a run plans them, for {} cases",
                            formatCount(cases.expected));
  table.columns = {"engine", "device", "at a time", "rows/s of many", "time", "answers", "why"};
  for (const EngineFacts &engine : cases.engines)
    table.rows.push_back({engine.name, engine.device.empty() ? "-" : engine.device,
                          engine.refused ? "-" : fmt::format("{}", engine.casesAtOnce),
                          engine.refused ? "-" : formatCount(engine.rowsPerSecond),
                          engine.refused ? "-" : timeText(engine),
                          engine.chosen    ? "yes"
                          : engine.refused ? "cannot"
                                           : "no",
                          displayText(engine.why)});
  return table;
}

} // namespace mpf
