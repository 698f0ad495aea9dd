#include "tools/mpfc/answers/count_result.h"

#include "dsl/support/check.h"
#include "tools/mpfc/options/output_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mpf::driver {

namespace {

/// A track of the competitions; its name is that of its format.
struct Track {
  OutputFormat format;
  bool weighs, projects;
};
constexpr std::array<Track, 4> kTracks = {{{OutputFormat::Mc, false, false},
                                           {OutputFormat::Wmc, true, false},
                                           {OutputFormat::Pmc, false, true},
                                           {OutputFormat::Pwmc, true, true}}};

const Track &trackOf(OutputFormat format) {
  const auto found = std::ranges::find(kTracks, format, &Track::format);
  MPF_CHECK(found != kTracks.end(), "format {} is no track", formatName(format));
  return *found;
}

/// Whether all entries of the factor are 0 or 1.
bool isConstraint(const Factor &factor) {
  return factor.values != nullptr &&
         std::ranges::all_of(*factor.values, [](double value) { return value == 0 || value == 1; });
}

/// A number in the notation 1.5e-3; beyond doubles with the digits that its logarithm has.
std::string scientific(const ScaledNumber &number) {
  if (const std::optional<double> value = number.value())
    return fmt::format("{:.16e}", *value);
  const double log10 = number.log10(), exponent = std::floor(log10);
  return fmt::format("{}{:.12f}e{}", number.sign() < 0 ? "-" : "", std::pow(10, log10 - exponent),
                     static_cast<int64_t>(exponent));
}

} // namespace

bool isCountFormat(OutputFormat format) {
  return std::ranges::count(kTracks, format, &Track::format) != 0;
}

void requireCount(OutputFormat format, const Model &model, const Query &query) {
  const Track &track = trackOf(format);
  const auto refuse = [&](std::string_view why) {
    fail(ErrorKind::Usage, "query {}: --format {} is for {}", query.name, formatName(format), why);
  };
  const bool isProjected = query.kind == QueryKind::Expression && query.output.empty() &&
                           query.combine == Combine::Times;
  if (query.kind != QueryKind::Evidence && !isProjected)
    refuse("one count");
  if (isProjected != track.projects)
    refuse(track.projects ? "projected counts, of files with `c p show`"
                          : "counts over all variables; projected ones are pmc and pwmc");
  if (!track.weighs && !std::ranges::all_of(query.factors, [&](FactorId id) {
        return isConstraint(model.factor(id));
      }))
    refuse(track.projects ? "counts without weights; pwmc has weights"
                          : "counts without weights; wmc has weights");
}

std::string countText(OutputFormat format, const Result &result) {
  const ResultTable &table = result.tables.front();
  const ScaledNumber number = table.at(0);
  const bool isZero = number.mantissa == 0;
  const bool isWhole = !table.integerEntries.empty();
  std::string text = fmt::format("s {}\nc s type {}\n",
                                 !isZero                  ? "SATISFIABLE"
                                 : trackOf(format).weighs ? "UNKNOWN"
                                                          : "UNSATISFIABLE",
                                 formatName(format));
  text += fmt::format("c s {}log10-estimate {}\n", number.sign() < 0 ? "neg" : "", number.log10());
  return text +
         (isWhole ? fmt::format("c s exact arb int {}\n", table.integerEntries.front())
                  : fmt::format("c s {} double prec-sci {}\n",
                                trackOf(format).weighs ? "exact" : "approx", scientific(number)));
}

void requireSolution(const Query &query) {
  if (!traitsOf(query.kind).decoding)
    fail(ErrorKind::Usage, "query {}: a .sol file holds a best assignment", query.name);
}

std::string solutionText(const Result &result) {
  MPF_CHECK(!result.assignments.empty(), "query {} has no assignment", result.query);
  return fmt::format("{}\n", fmt::join(result.assignments.front().states, " "));
}

} // namespace mpf::driver
