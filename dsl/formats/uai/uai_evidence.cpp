#include "dsl/formats/uai/uai_evidence.h"

#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/formats/numbers/integer_list.h"
#include "dsl/model/model_limits.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <unordered_map>

namespace mpf {

namespace {

/// The most samples of a file: empty samples use memory too.
constexpr uint64_t kMaxSamples = uint64_t{1} << 24;

/// One sample `m v1 x1 .. vm xm`, by the position of its count `m` in the list of numbers.
struct Sample {
  size_t countAt = 0;
  uint64_t observations(const IntegerList &list) const { return list.values[countAt]; }
};

/// Cuts the list from `begin` on into `count` samples; nothing if they do not end at its end.
std::optional<std::vector<Sample>> cutIntoSamples(const IntegerList &list, size_t begin,
                                                  uint64_t count) {
  std::vector<Sample> samples;
  size_t at = begin;
  for (uint64_t i = 0; i < count; ++i) {
    if (at >= list.values.size() || list.values[at] > (list.values.size() - at - 1) / 2)
      return std::nullopt;
    samples.push_back({at});
    at += 1 + 2 * list.values[at];
  }
  return at == list.values.size() ? std::optional(samples) : std::nullopt;
}

/// True if the number of samples is alone on its line and each sample is exactly one line.
bool laidOutAsSamples(const IntegerList &list, const std::vector<Sample> &samples) {
  size_t lineStarts = 1;
  for (const Sample &sample : samples) {
    if (!list.startsLine(sample.countAt))
      return false;
    ++lineStarts;
  }
  return lineStarts == list.lineCount();
}

/// Finds the samples by the rule of uai_evidence.h for dialects; reports if no dialect fits.
std::optional<std::vector<Sample>> findSamples(const IntegerList &list, Diagnostics &diagnostics) {
  if (list.values.empty()) {
    diagnostics.report({Severity::Error,
                        {list.buffer, {0, 0}},
                        "the file is empty: the number of observations is expected",
                        "0 says that nothing is observed; --evidence none reads no file"});
    return std::nullopt;
  }
  const uint64_t first = list.values.front(), behind = list.values.size() - 1;
  const auto oneLine = cutIntoSamples(list, 0, 1);
  // Each sample has at least one number, so a larger first number is no count of samples.
  const auto many = first <= behind ? cutIntoSamples(list, 1, first) : std::nullopt;
  const bool areLines = many && !many->empty() && laidOutAsSamples(list, *many);
  const bool hasEmpty = many && std::ranges::any_of(*many, [&list](const Sample &sample) {
                          return sample.observations(list) == 0;
                        });
  if (hasEmpty && !oneLine && !areLines) { // the one-line form may be cut off
    diagnostics.report(
        {Severity::Error, list.placeOf(0),
         fmt::format("the file announces {} {}, which need {} numbers, {} {}", first,
                     first == 1 ? "observation" : "observations", 2 * first, behind,
                     behind == 1 ? "follows" : "follow"),
         "it may be cut off; samples of which some are empty have a line each, behind a line with "
         "their number"});
    return std::nullopt;
  }
  if (many && !many->empty() && (!oneLine || areLines))
    return many;
  if (oneLine)
    return oneLine;
  if (first == 0) { // merlin ignores the rest too
    diagnostics.warning(list.placeOf(1),
                        "the file announces 0 observations: the {} numbers behind it are ignored, "
                        "nothing is observed",
                        behind);
    return std::vector<Sample>{{0}};
  }
  diagnostics.report({Severity::Error, list.placeOf(0),
                      fmt::format("the file announces {} observations (variable and state each), "
                                  "{} numbers follow",
                                  first, behind),
                      "the other form, a number of samples and then one line each, does not fit "
                      "either"});
  return std::nullopt;
}

/// Repeated observations with equal states. They are harmless, so that one warning covers all.
struct Repeats {
  uint64_t count = 0;
  size_t firstAt = 0;
};

/// The states of a model's variables by their numbers. It looks at the labels of each once.
class NumberedStates {
public:
  NumberedStates(const Model &model, NumberReading reading, Diagnostics &diagnostics)
      : model_(model), reading_(reading), diagnostics_(diagnostics) {}

  /// The state that a number at `position` of the list is. Nothing after reporting that it is none,
  /// or that its readings differ.
  std::optional<uint32_t> find(uint64_t variable, uint64_t state, const IntegerList &list,
                               size_t position) {
    const Variable &observed = model_.variables[variable];
    const StateNumbers *numbers = numbersOf(observed, variable);
    if (numbers == nullptr || numbers->arePlaces()) {
      if (state < observed.extent)
        return static_cast<uint32_t>(state);
      diagnostics_.error(list.placeOf(position),
                         "variable {} is observed in state {}, it has {} states, numbered from 0",
                         variable, state, observed.extent);
      return std::nullopt;
    }
    const SourceRange range = list.placeOf(position).range;
    const StateNumber number{static_cast<double>(state),
                             list.buffer->text().substr(range.begin, range.end - range.begin)};
    const auto known = numbers->find(observed.labels, number, reading_);
    if (!known)
      diagnostics_.report({Severity::Error, list.placeOf(position),
                           fmt::format("variable {}: {}", variable,
                                       numbers->readings(observed.labels, observed.name, number)),
                           reading_ == NumberReading::Both ? kStatesHint : ""});
    return known;
  }

private:
  /// Null: numbers are places, whatever the labels are.
  const StateNumbers *numbersOf(const Variable &observed, uint64_t variable) {
    if (reading_ == NumberReading::Place || observed.labels.empty())
      return nullptr;
    const auto [at, isNew] = known_.try_emplace(variable);
    if (isNew)
      at->second = StateNumbers(observed.labels);
    return &at->second;
  }

  const Model &model_;
  const NumberReading reading_;
  Diagnostics &diagnostics_;
  std::unordered_map<uint64_t, StateNumbers> known_; ///< by variable; looked up only
};

/// Checks one sample and returns its observations, ascending and distinct.
std::vector<Observation> readSample(const IntegerList &list, const Sample &sample,
                                    const Model &model, NumberedStates &states, Repeats &repeats,
                                    Diagnostics &diagnostics) {
  struct Seen {
    Observation observation;
    size_t at;
  };
  std::vector<Seen> seen;
  for (uint64_t i = 0; i < sample.observations(list) && !diagnostics.full(); ++i) {
    const size_t at = sample.countAt + 1 + 2 * i;
    const uint64_t variable = list.values[at], state = list.values[at + 1];
    if (variable >= ownVariableCount(model)) {
      diagnostics.error(list.placeOf(at),
                        "variable {} is observed, the model has {} variables, "
                        "numbered from 0",
                        variable, ownVariableCount(model));
    } else if (const auto known = states.find(variable, state, list, at + 1)) {
      seen.push_back({{VarId(variable), *known}, at});
    }
  }
  std::sort(seen.begin(), seen.end(), [](const Seen &a, const Seen &b) {
    return std::pair(a.observation.variable, a.at) < std::pair(b.observation.variable, b.at);
  });
  std::vector<Observation> observations;
  for (const Seen &next : seen) {
    const Observation &now = next.observation;
    if (observations.empty() || observations.back().variable != now.variable)
      observations.push_back(now);
    else if (observations.back().state != now.state)
      diagnostics.error(list.placeOf(next.at),
                        "variable {} is observed in state {} and in state {}", now.variable,
                        observations.back().state, now.state);
    else if (repeats.count++ == 0)
      repeats.firstAt = next.at;
  }
  return observations;
}

/// Removes observations that the model's evidence has already; reports those that contradict it.
void checkAgainstModel(std::vector<Observation> &observations, const Model &model,
                       const SourcePlace &place, Diagnostics &diagnostics) {
  std::erase_if(observations, [&](const Observation &now) {
    if (isSetByCases(model, now.variable)) {
      diagnostics.error(place, "variable {} is observed here and in the model's cases",
                        now.variable);
      return true;
    }
    if (!model.evidence.observes(now.variable))
      return false;
    if (model.evidence.listed) {
      diagnostics.error(place, "variable {} is observed here and in the model's cases",
                        now.variable);
      return true;
    }
    const uint32_t known = *model.evidence.state(now.variable);
    if (known != now.state)
      diagnostics.error(place, "variable {} is observed in state {}, the model observes it in {}",
                        now.variable, now.state, known);
    return true;
  });
}

/// Makes one case per sample over the union of the observed variables, with `given` in each case.
std::optional<Evidence> makeCases(const std::vector<std::vector<Observation>> &samples,
                                  const Evidence &given, const SourcePlace &place,
                                  Diagnostics &diagnostics) {
  std::vector<VarId> columns;
  for (const std::vector<Observation> &sample : samples)
    for (const Observation &observation : sample)
      columns.push_back(observation.variable);
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  const uint64_t limit = ModelLimits().maxCaseEntries,
                 entries = saturatingMul(samples.size(), columns.size() + given.findings.size());
  if (entries > limit) {
    diagnostics.error(place, "{} samples over {} observed variables are {} cells, the limit is {}",
                      samples.size(), columns.size() + given.findings.size(), entries, limit);
    return std::nullopt;
  }
  std::vector<uint32_t> states(samples.size() * columns.size(), Evidence::kNotObserved);
  auto row = states.begin();
  for (const std::vector<Observation> &sample : samples) {
    for (const Observation &seen : sample)
      row[std::ranges::lower_bound(columns, seen.variable) - columns.begin()] = seen.state;
    row += static_cast<std::ptrdiff_t>(columns.size());
  }
  Evidence cases = listedEvidence(columns, states, samples.size());
  cases.add(given.observations());
  cases.likelihoods = given.likelihoods;
  return cases;
}

} // namespace

bool readEvidence(std::shared_ptr<const SourceBuffer> buffer, Model &model,
                  Diagnostics &diagnostics, NumberReading numbers) {
  const size_t errorsBefore = diagnostics.errorCount();
  const auto list = readIntegerList(std::move(buffer), "an evidence file",
                                    "how many, then a variable and its state for each, all by "
                                    "number; names go behind --observe",
                                    diagnostics);
  if (!list)
    return false;
  const auto found = findSamples(*list, diagnostics);
  if (!found)
    return false;

  if (found->size() > kMaxSamples) {
    diagnostics.error(list->placeOf(0), "the file has {} samples, the limit is {}", found->size(),
                      kMaxSamples);
    return false;
  }
  std::vector<std::vector<Observation>> samples;
  Repeats repeats;
  NumberedStates states(model, numbers, diagnostics);
  for (const Sample &sample : *found) {
    samples.push_back(readSample(*list, sample, model, states, repeats, diagnostics));
    checkAgainstModel(samples.back(), model, list->placeOf(sample.countAt), diagnostics);
    if (diagnostics.full())
      return false;
  }
  if (diagnostics.errorCount() != errorsBefore)
    return false;
  if (repeats.count != 0)
    diagnostics.warning(list->placeOf(repeats.firstAt), "{} observations are repeated",
                        repeats.count);
  if (samples.size() == 1) {
    for (const Observation &seen : samples[0])
      model.findingPlaces[seen.variable.value] = list->placeOf(found->front().countAt);
    const uint64_t entries = model.evidence.entriesWith(samples[0].size()),
                   limit = ModelLimits().maxCaseEntries;
    if (entries > limit) {
      diagnostics.error(list->placeOf(0),
                        "{} cases with these observations are {} states, the limit is {}",
                        model.evidence.caseCount, entries, limit);
      return false;
    }
    model.evidence.add(std::move(samples[0]));
    return true;
  }
  if (listsCases(model)) {
    diagnostics.error(list->placeOf(0), "the file has {} samples, the model lists cases already",
                      samples.size());
    return false;
  }
  auto cases = makeCases(samples, model.evidence, list->placeOf(0), diagnostics);
  if (!cases)
    return false;
  model.evidence = std::move(*cases);
  return true;
}

} // namespace mpf
