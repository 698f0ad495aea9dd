#include "tools/mpfc/explain/facts/facts.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace mpf {

namespace {

std::string domainText(const NetworkFacts &network) {
  constexpr size_t kShown = 4;
  std::string text;
  for (size_t i = 0; i < std::min(network.domains.size(), kShown); ++i)
    text += fmt::format("{}{} of {}", i == 0 ? "" : ", ", network.domains[i].second,
                        network.domains[i].first);
  if (network.domains.size() > kShown)
    text += fmt::format(", ... up to {}", network.domains.back().first);
  return text;
}

} // namespace

std::string formatPower(double bits) {
  return std::isinf(bits) ? (bits < 0 ? "0" : "inf") : fmt::format("2^{:.2f}", bits);
}

std::string_view speedText(const QueryExplanation &explanation) {
  switch (explanation.speedOrigin) {
  case SpeedOrigin::Calibrated:
    return "by this machine's speed, as mpfc calibrate measured it";
  case SpeedOrigin::Looked:
    return "by a quick look at this machine: mpfc calibrate measures more";
  case SpeedOrigin::Shipped:
    return "by the speed of another machine: mpfc calibrate measures this one's";
  }
  MPF_UNREACHABLE("origin {}", static_cast<int>(explanation.speedOrigin));
}

std::string formatTime(double us) {
  struct Unit {
    double us;
    const char *name;
  };
  constexpr std::array kUnits = {Unit{3.15576e13, "years"},
                                 Unit{8.64e10, "days"},
                                 Unit{3.6e9, "h"},
                                 Unit{6e7, "min"},
                                 Unit{1e6, "s"},
                                 Unit{1e3, "ms"},
                                 Unit{1, "us"},
                                 Unit{1e-3, "ns"}};
  if (us <= 0)
    return "0";
  for (const Unit &unit : kUnits)
    if (us >= unit.us || unit.us == 1e-3) {
      const double value = us / unit.us;
      if (value >= 1e6)
        return fmt::format("{:.1e} {}", value, unit.name);
      return fmt::format("{:.{}f} {}", value, value >= 99.5 ? 0 : value >= 9.95 ? 1 : 2, unit.name);
    }
  return {};
}

std::string formatCount(double count) {
  if (count < 1e6)
    return fmt::format("{:.0f}", count);
  if (count >= 1e12)
    return formatPower(std::log2(count));
  const bool giga = count >= 1e9;
  const double value = count / (giga ? 1e9 : 1e6);
  return fmt::format("{:.{}f} {}", value, value >= 100 ? 0 : value >= 10 ? 1 : 2, giga ? "G" : "M");
}

std::string formatShare(double share) {
  const double percent = 100 * share;
  if (percent > 0 && percent < 0.01)
    return "<0.01 %";
  return fmt::format("{:.{}f} %", percent, percent >= 9.95 || percent == 0 ? 0 : 2);
}

std::string joinNames(const std::vector<std::string> &names, size_t shown,
                      std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), shown); ++i) {
    text += i == 0 ? "" : separator;
    text += names[i];
  }
  if (names.size() > shown)
    text += fmt::format("{}... {} more", separator, names.size() - shown);
  return displayText(text);
}

std::string peakText(const MemoryFacts &memory) {
  return memory.peakBytes == UINT64_MAX ? formatPower(memory.log2PeakBytes) + " bytes"
                                        : formatBytes(memory.peakBytes);
}

std::string chainText(const QueryExplanation &explanation, const ChainFacts &chain) {
  return displayText(explanation.buckets[chain.first].name) + " .. " +
         displayText(explanation.buckets[chain.first + chain.count - 1].name);
}

namespace {

std::string runHeadline(const QueryExplanation &explanation) {
  if (!explanation.planned)
    return "Would be refused: no elimination order was found whose tables could be laid out.";
  const bool refused =
      !explanation.warnings.empty() && explanation.warnings.front().kind == WarningKind::Refused;
  const std::string &device = explanation.autoDevice;
  std::string text = fmt::format(
      "{} on {} in {} of memory", refused ? "Refused; without the bound it would run" : "Would run",
      explanation.staysOnCpu() ? "the CPU"
      : device == kBothDevices ? "CPU and GPU (" + explanation.target + ")"
                               : "the GPU (" + device + ")",
      peakText(explanation.memory));
  const double again = explanation.againUs();
  text += fmt::format(", predicted {}", formatTime(again));
  if (const double first = explanation.firstTimeUs(); first > again * 1.01)
    text += fmt::format(" ({} the first time)", formatTime(first));
  return text + ".";
}

} // namespace

std::string headline(const QueryExplanation &explanation) {
  const std::string text =
      explanation.cases ? caseHeadline(*explanation.cases) : runHeadline(explanation);
  if (explanation.joined.empty())
    return text;
  return fmt::format("{} One program answers {}.", text, excerptList(explanation.joined));
}

std::vector<Fact> networkFactList(const NetworkFacts &network) {
  std::vector<Fact> facts;
  const auto add = [&facts](std::string name, std::string value, std::string note = {}) {
    facts.push_back({std::move(name), std::move(value), std::move(note)});
  };
  add("variables", fmt::format("{}", network.variables),
      fmt::format("{} observed, {} of one state", network.observed, network.single));
  add("domain sizes", domainText(network),
      fmt::format("2^{:.1f} joint states", network.log2States));
  add("connected parts", fmt::format("{}", network.components), "of the unobserved variables");
  add("primal graph", fmt::format("{} edges", network.edges),
      fmt::format("largest degree {}, degeneracy {}: no order has a smaller induced width",
                  network.largestDegree, network.degeneracy));
  add("factors", fmt::format("{}", network.factors),
      network.unboundFactors == 0
          ? std::string()
          : fmt::format("{} of them bound by the host program", network.unboundFactors));
  add("largest scope", fmt::format("{} variables", network.largestScope),
      displayText(network.largestFactor));
  const double zeros = network.entries == 0 ? 0
                                            : static_cast<double>(network.zeroEntries) /
                                                  static_cast<double>(network.entries);
  add("table entries", fmt::format("{}", network.entries),
      fmt::format("{}; {} are zero ({})", formatBytes(network.tableBytes), network.zeroEntries,
                  formatShare(zeros)));
  return facts;
}

std::vector<Fact> planFactList(const QueryExplanation &explanation) {
  std::vector<Fact> facts;
  const auto add = [&facts](std::string name, std::string value, std::string note = {}) {
    facts.push_back({std::move(name), std::move(value), std::move(note)});
  };
  add("induced width", fmt::format("{}", explanation.inducedWidth),
      "variables of the widest bucket, less one");
  add("largest clique", formatPower(explanation.log2LargestClique) + " states",
      fmt::format("largest message {} entries", formatPower(explanation.log2LargestMessage)));
  add("operations", formatPower(explanation.log2Ops), "multiplications and additions in all");
  if (!explanation.sliced.empty())
    add("slices", formatCount(explanation.slices),
        "one for each state of " + joinNames(explanation.sliced, 8) +
            (explanation.slicesAtOnce == 1
                 ? ""
                 : fmt::format(", {} side by side", explanation.slicesAtOnce)) +
            (explanation.replicaBytes == 0
                 ? ""
                 : fmt::format(" in {} beside the peak", formatBytes(explanation.replicaBytes))));
  add("buckets", fmt::format("{}", explanation.buckets.size()),
      fmt::format("{} of them make 98 % of the run time", explanation.bucketsOfMost));
  if (const size_t shared = explanation.sharedBuckets(); shared > 0)
    add("shared messages", fmt::format("{}", shared),
        "buckets that are not run: an earlier one computes the same table");
  if (!explanation.showsGpu())
    return facts;
  if (const size_t laidOut = explanation.laidOutTables; laidOut > 0)
    add("tables laid out", fmt::format("{}", laidOut),
        "inputs and messages stored in the order that GPU kernels gain by");
  if (const size_t packed = explanation.packedTables; packed > 0)
    add("tables packed", fmt::format("{}", packed),
        fmt::format("{} entries of zeros and ones, of which a GPU keeps bits: {} in all",
                    formatCount(static_cast<double>(explanation.packedElems)),
                    formatBytes(explanation.packedElems / 8)));
  return facts;
}

std::vector<Fact> memoryFactList(const QueryExplanation &explanation) {
  const MemoryFacts &memory = explanation.memory;
  std::vector<Fact> facts;
  facts.push_back(
      {"peak", peakText(memory),
       memory.peakBytes == UINT64_MAX
           ? std::string("more than any machine has")
           : fmt::format("{} of inputs + {} of work, fixed before the run",
                         formatBytes(memory.inputBytes), formatBytes(memory.workBytes))});
  if (memory.processBytes != 0 && memory.processBytes != UINT64_MAX)
    facts.push_back({"process", "below " + formatBytes(memory.processBytes),
                     "on the CPU: the tables, the program, the model's values and the plan"});
  facts.push_back({"bound", memory.boundBytes ? formatBytes(*memory.boundBytes) : "none",
                   memory.boundSource + (memory.boundBytes && memory.boundSource != "--max-memory"
                                             ? "; --max-memory sets another"
                                             : "")});
  if (explanation.showsGpu())
    facts.push_back({"device memory", formatBytes(memory.deviceBytes), "of " + explanation.target});
  return facts;
}

} // namespace mpf
