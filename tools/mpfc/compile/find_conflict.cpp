#include "tools/mpfc/compile/find_conflict.h"

#include "codegen/bundle/bundle.h"
#include "codegen/plan/program/search_stop.h"
#include "dsl/model/edit_evidence.h"
#include "dsl/model/minimal_conflict.h"
#include "dsl/source/text_error.h"
#include "dsl/support/error.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"
#include "runtime/api/session.h"
#include "runtime/predict/place_program.h"
#include "runtime/session/verified_program.h"
#include "tools/mpfc/compile/announce_work.h"
#include "tools/mpfc/compile/compile_query.h"
#include "tools/mpfc/compile/own_runs.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace mpf::driver {

namespace {

constexpr double kLeastSeconds = 0.5, kMostSeconds = 3;
constexpr uint64_t kLeastBytes = uint64_t{64} << 20;
/// The most findings of which each is first tried alone.
constexpr size_t kFewFindings = 16;

/// "m.mpf:3:9"
std::string placeText(const SourcePlace &place) {
  const LineColumn at = place.buffer->locate(place.range.begin);
  return fmt::format("{}:{}:{}", place.buffer->name(), at.line, at.column);
}

/// A sum of entries below 0 and above it may be 0 while all findings are possible, and more
/// findings may make it another number.
bool mayCancel(const Model &model) { return std::ranges::any_of(model.factors, mayBeNegative); }

class ConflictSearch {
public:
  ConflictSearch(const Model &model, const Options &options, const ConflictBounds &bounds)
      : model_(model), options_(forOwnRuns(options)), bounds_(bounds),
        findings_(model.evidence.observations()),
        ends_(std::min(deadlineAfter(bounds.seconds), options.ends)) {
    options_.maxMemoryBytes = std::min(options.maxMemoryBytes.value_or(UINT64_MAX), bounds.bytes);
    options_.devices = DeviceRequest::cpu();
    options_.order = OrderMethod::MinFill;
    options_.searchTime = {ends_};
  }

  Conflict run() {
    const size_t count = findingCount();
    const auto holds = [this](std::span<const size_t> items) { return isPossible(items); };
    MinimalConflict found;
    if (count <= kFewFindings)
      for (size_t i = 0; i < count && found.items.empty(); ++i)
        if (isPossible(std::span(&i, 1)) == false)
          found.items = {i};
    if (found.items.empty())
      found = minimalConflict(count, holds);
    else if (isPossible({}) == false)
      found.items.clear();
    if (found.isMinimal && isPossible(found.items).value_or(true))
      return {};
    return describe(found);
  }

private:
  size_t findingCount() const { return findings_.size() + model_.evidence.likelihoods.size(); }
  VarId variableOf(size_t item) const {
    return item < findings_.size() ? findings_[item].variable
                                   : model_.factor(likelihoodOf(item)).scope.front();
  }
  FactorId likelihoodOf(size_t item) const {
    return model_.evidence.likelihoods[item - findings_.size()];
  }

  /// Returns the model with these findings alone.
  Model observing(std::span<const size_t> items) const {
    Model part = model_;
    part.evidence = {};
    part.evidence.likelihoods = model_.evidence.likelihoods;
    std::vector<Observation> observations;
    for (size_t i = 0; i < findings_.size(); ++i)
      if (std::ranges::binary_search(items, i))
        observations.push_back(findings_[i]);
    part.evidence.add(std::move(observations));
    for (size_t i = 0; i < model_.evidence.likelihoods.size(); ++i)
      if (!std::ranges::binary_search(items, findings_.size() + i)) {
        Factor &factor = part.factors[model_.evidence.likelihoods[i].index()];
        const uint64_t elems = scopeElems(model_, factor.scope);
        setValues(factor, std::make_shared<const std::vector<double>>(elems, 1.0), elems);
      }
    return part;
  }

  double secondsLeft() const {
    return std::chrono::duration<double>(ends_ - std::chrono::steady_clock::now()).count();
  }

  /// Returns nothing if the time is too short for a plan or for its predicted run, or if one is
  /// refused.
  std::optional<bool> isPossible(std::span<const size_t> items) const {
    if (secondsLeft() <= 0)
      return std::nullopt;
    try {
      const Model part = observing(items);
      const Query query = shortQuery(part, QueryKind::Evidence);
      SessionOptions run;
      run.device = "cpu";
      run.threads = options_.threads;
      run.expectedRuns = 0;
      const Program program =
          VerifiedPrograms::of(std::make_shared<const Bundle>(compileQuery(part, query, options_)));
      if (const double left = secondsLeft() / 2;
          mostRunUs(program.bundle()) > left * kUsPerSecond && predictSeconds(program, run) > left)
        return std::nullopt;
      return Session(program, run).run().tables.front().at(0).mantissa != 0;
    } catch (const Error &) {
      return std::nullopt;
    }
  }

  std::string gaveUpText() const {
    return fmt::format("the search gave up: a run was refused, or would have taken more than its "
                       "{:.2g} s or {}",
                       bounds_.seconds, formatBytes(bounds_.bytes));
  }

  std::string findingText(size_t item) const {
    const VarId id = variableOf(item);
    const Variable &variable = model_.variable(id);
    std::string text = excerpt(variable.name);
    if (item >= findings_.size())
      text += " ~ ...";
    else
      text += " = " + (variable.labels.empty() ? std::to_string(findings_[item].state)
                                               : excerpt(variable.labels[findings_[item].state]));
    const auto place = model_.findingPlaces.find(id.value);
    if (place != model_.findingPlaces.end() && place->second.buffer)
      text += fmt::format(" ({})", placeText(place->second));
    return text;
  }

  Conflict describe(const MinimalConflict &found) const {
    if (found.items.empty())
      return {{}, "the model has no mass: it is 0 without evidence, too"};
    if (!found.isMinimal && found.items.size() == findingCount())
      return {{},
              fmt::format("which findings cannot hold together was not found: {}", gaveUpText())};
    Conflict conflict;
    std::string list;
    for (const size_t item : found.items) {
      conflict.variables.push_back(model_.variable(variableOf(item)).name);
      list += (list.empty() ? "" : ", ") + findingText(item);
    }
    conflict.message = fmt::format(
        "{}: {}{}",
        found.items.size() == 1 ? "this finding has probability zero"
                                : "these findings cannot hold together",
        list, found.isMinimal ? "" : fmt::format(" (fewer of them may do: {})", gaveUpText()));
    return conflict;
  }

  const Model &model_;
  Options options_;
  const ConflictBounds bounds_;
  const std::vector<Observation> findings_;
  const std::chrono::steady_clock::time_point ends_;
};

} // namespace

ConflictBounds ConflictBounds::ofRuns(double seconds, uint64_t bytes) {
  return {std::clamp(seconds, kLeastSeconds, kMostSeconds), std::max(bytes, kLeastBytes)};
}

Conflict findConflict(const Model &model, const Options &options, const ConflictBounds &bounds) {
  if (mayCancel(model))
    return {};
  return ConflictSearch(model, options, bounds).run();
}

} // namespace mpf::driver
