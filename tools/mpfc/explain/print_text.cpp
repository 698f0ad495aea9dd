#include "tools/mpfc/explain/print_text.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/text/shown_text.h"
#include "tools/mpfc/explain/facts/facts.h"
#include "tools/mpfc/explain/facts/timeline_facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace mpf {

namespace {

constexpr size_t kOrderShown = 40;
constexpr size_t kOperandsShown = 6;
constexpr size_t kBarsShown = 10;
constexpr size_t kTimelineCells = 64;

template <class... Args>
void line(std::string &text, fmt::format_string<Args...> format, Args &&...args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  while (text.ends_with(' '))
    text.pop_back();
  text += '\n';
}

void printFacts(std::string &text, const std::vector<Fact> &facts) {
  for (const Fact &fact : facts)
    line(text, "    {:<16} {}{}{}{}", fact.name, fact.value, fact.note.empty() ? "" : " (",
         fact.note, fact.note.empty() ? "" : ")");
}

/// Prints the rows of passes that changed something.
void printPasses(std::string &text, const PassTable &table) {
  line(text, "  {}", table.title);
  std::vector<size_t> widths;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    widths.push_back(table.columns[c].size());
    for (const PassRow &row : table.rows)
      widths[c] = std::max(widths[c], row.values[c].size());
  }
  std::string header = fmt::format("    {:<20}", "pass");
  for (size_t c = 0; c < widths.size(); ++c)
    header += fmt::format("  {:>{}}", table.columns[c], widths[c]);
  line(text, "{}", header);
  for (const PassRow &row : table.rows) {
    if (!row.changed)
      continue;
    std::string cells = fmt::format("    {:<20}", row.pass);
    for (size_t c = 0; c < widths.size(); ++c)
      cells += fmt::format("  {:>{}}", row.values[c], widths[c]);
    line(text, "{}", cells);
  }
}

/// Prints the terms of the cost model (codegen/kernel/cost/cost_model.h), in its order.
void printTerms(std::string &text, const QueryExplanation &query) {
  const auto first = std::ranges::find_if(
      query.costliest, [](const DearBucket &dear) { return dear.kernel.has_value(); });
  if (first == query.costliest.end())
    return;
  line(text, "  where a specialised kernel would spend its time (terms overlap but for launch)");
  std::string header = fmt::format("    {:<10}", "result");
  for (const CostTerm &term : first->kernel->header().costTerms)
    header += fmt::format(" {:>10}", term.name);
  line(text, "{} {:>10}", header, "own");
  for (const DearBucket &dear : query.costliest) {
    if (!dear.kernel)
      continue;
    std::string cells = fmt::format("    {:<10}", displayText(query.buckets[dear.bucket].name));
    for (const CostTerm &term : dear.kernel->header().costTerms)
      cells += fmt::format(" {:>10}", term.timeUs > 0 ? formatTime(term.timeUs) : "-");
    line(text, "{} {:>10}", cells, formatTime(dear.ownUs));
  }
}

/// The cells of a bucket that only a GPU has: its time there, the floor, a specialised kernel.
std::string gpuCells(const DearBucket &dear, const BucketFacts &bucket) {
  return fmt::format(" {:>10} {:>10} {:>10}  {:<7}", formatTime(bucket.gpuUs),
                     formatTime(std::max(bucket.floorBytesUs, bucket.floorArithmeticUs)),
                     dear.kernel ? formatTime(dear.ownUs) : "-",
                     dear.kernel ? dear.kernel->family() : "-");
}

void printCostliest(std::string &text, const QueryExplanation &query) {
  if (query.costliest.empty())
    return;
  const bool showsGpu = query.showsGpu();
  line(text, "  costliest buckets{}",
       showsGpu
           ? fmt::format(" (times on {}: as it would run, the floor, specialised)", query.target)
           : "");
  line(text, "    {:<10} {:>8} {:>10} {:>10} {:>10}{} operands", "result", "share", "addresses",
       "entries", "cpu",
       showsGpu ? fmt::format(" {:>10} {:>10} {:>10}  {:<7}", "gpu", "floor", "own", "family")
                : " ");
  for (const DearBucket &dear : query.costliest) {
    const BucketFacts &bucket = query.buckets[dear.bucket];
    line(text, "    {:<10} {:>8} {:>10} {:>10} {:>10}{} {}", displayText(bucket.name),
         formatShare(dear.share), formatCount(bucket.addresses), formatCount(bucket.entries),
         formatTime(bucket.cpuUs), showsGpu ? gpuCells(dear, bucket) : " ",
         joinNames(bucket.operands, kOperandsShown, " "));
  }
  if (query.buckets.size() > query.costliest.size())
    line(text, "    ... {} cheaper ones", query.buckets.size() - query.costliest.size());
  if (showsGpu)
    printTerms(text, query);
}

void printChains(std::string &text, const QueryExplanation &query) {
  if (query.chains.empty() || !query.showsGpu())
    return;
  line(text,
       "  chains on {} (consecutive buckets as one kernel, each page of the message read once)",
       query.target);
  line(text, "    {:<24} {:>8} {:>10} {:>10} {:>10}  kernel", "results", "buckets", "message",
       "one by one", "as one");
  for (const ChainFacts &chain : query.chains)
    line(text, "    {:<24} {:>8} {:>10} {:>10} {:>10}  {}", chainText(query, chain), chain.count,
         formatCount(chain.messageEntries), formatTime(chain.aloneUs),
         chain.kernel.empty() ? "-" : formatTime(chain.chainUs),
         chain.kernel.empty() ? "not worth one" : chain.kernel);
}

/// Prints the time of one run, and its share of the things that the GPU does once.
void printPlacements(std::string &text, const QueryExplanation &query) {
  for (const PlacementFacts &placement : query.placements)
    line(text, "    --schedule {:<13} {:>10}{}{}", placement.method,
         formatTime(placement.timeUs - placement.onceUs),
         placement.onceUs > 0 ? fmt::format(" and {} of opening", formatTime(placement.onceUs))
                              : "",
         placement.chosen ? "  (chosen)" : "");
}

void printPhases(std::string &text, const QueryExplanation &query) {
  if (query.phases.empty())
    return;
  line(text, "  predicted times (--device {}: {})", query.askedDevice, query.autoDevice);
  if (!query.staysOnCpu())
    printPlacements(text, query);
  for (const PhaseTime &phase : query.phases)
    if (query.shows(phase))
      line(text, "    {:<7} {:<10} {:>10}{}  {}", phase.device, phase.phase,
           formatTime(phase.timeUs), phase.once ? " once " : "      ", phase.why);
  line(text, "    {}", speedText(query));
}

void printTable(std::string &text, const FactTable &table) {
  if (table.rows.empty())
    return;
  line(text, "  {}", table.title);
  std::vector<size_t> widths;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    widths.push_back(table.columns[c].size());
    for (const std::vector<std::string> &row : table.rows)
      widths[c] = std::max(widths[c], row[c].size());
  }
  const auto printRow = [&](const std::vector<std::string> &row) {
    std::string cells = "  ";
    for (size_t c = 0; c < row.size(); ++c)
      cells += fmt::format("  {:<{}}", row[c], widths[c]);
    line(text, "{}", cells);
  };
  printRow(table.columns);
  for (const std::vector<std::string> &row : table.rows)
    printRow(row);
}

/// Describes the order of operations on one device.
std::string orderText(const TimelineFacts &timeline) {
  if (timeline.lanes.front() != kCpuDevice)
    return "one launch after the other";
  return timeline.threads == 1
             ? "one operation after the other"
             : fmt::format("operations and branches share {} threads", timeline.threads);
}

/// Prints the time line; a line of text suffices if one device does everything.
void printTimeline(std::string &text, const QueryExplanation &query) {
  const TimelineFacts &timeline = query.timeline;
  if (timeline.lanes.size() == 1)
    line(text, "  time line: {}, {}", timelineTitle(query), orderText(timeline));
  if (timeline.lanes.size() <= 1)
    return;
  printTable(text, longestBars(query, kBarsShown));
  if (timeline.bars.size() > kBarsShown)
    line(text, "    ... {} shorter ones", timeline.bars.size() - kBarsShown);
  for (uint32_t lane = 0; lane < timeline.lanes.size(); ++lane)
    line(text, "    {:<9}|{}| {} busy", timeline.lanes[lane],
         laneText(timeline, lane, kTimelineCells), formatShare(busyShare(timeline, lane)));
}

void printCases(std::string &text, const QueryExplanation &query) {
  line(text, "  cases of {}", displayText(query.cases->source));
  printFacts(text, caseFactList(query));
  printTable(text, frontierTable(*query.cases));
  printTable(text, engineTable(*query.cases));
}

void printQuery(std::string &text, const QueryExplanation &query) {
  line(text, "query {}", displayText(query.query));
  line(text, "  {}", headline(query));
  for (const ExplainWarning &warning : query.warnings)
    line(text, "  warning ({}): {}", warningName(warning.kind), displayText(warning.text));
  for (const std::string &advice : query.advice)
    line(text, "  advice: {}", displayText(advice));
  if (query.network) {
    line(text, "  network");
    printFacts(text, networkFactList(*query.network));
  }
  if (query.cases)
    return printCases(text, query);
  for (const PassTable &table : query.passes)
    printPasses(text, table);
  if (!query.planned)
    return;
  line(text, "  plan");
  line(text, "    {:<16} {}", "order",
       query.order.empty() ? "(nothing left to eliminate)"
                           : joinNames(query.order, kOrderShown, " > "));
  printFacts(text, planFactList(query));
  line(text, "  memory");
  printFacts(text, memoryFactList(query));
  printCostliest(text, query);
  printChains(text, query);
  printPhases(text, query);
  printTimeline(text, query);
}

} // namespace

std::string explanationText(const Explanation &explanation) {
  std::string text;
  for (const QueryExplanation &query : explanation.queries) {
    if (!text.empty())
      text += '\n';
    printQuery(text, query);
  }
  text += "\nmpfc help words explains the words of this report.\n";
  return withoutControls(text, "\n");
}

} // namespace mpf
