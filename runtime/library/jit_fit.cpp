#include "runtime/library/jit_fit.h"

#include "dsl/model/edit_evidence.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/numbers/scaled_sum.h"
#include "dsl/support/numbers/scaled_text.h"
#include "dsl/syntax/spelling.h"
#include "runtime/predict/place_program.h"
#include "runtime/schedule/run_volume.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace mpf {

namespace {

constexpr double kTolerance = 1e-12;
/// The least number of rounds: the first meets each target once, the second checks whether all are
/// met together.
constexpr uint32_t kLeastRounds = 2;
/// The round from which on the number of rounds ahead is predicted by how fast the error falls.
constexpr uint32_t kSteadyRound = 5;
/// Fits below this are not predicted.
constexpr double kShortSeconds = 1, kSecondsPerUs = 1e-6;

/// A factor whose variable has a target posterior, and the session that computes its current one.
struct FittedFactor {
  FactorId factor;
  VarId variable;
  std::vector<ScaledNumber> wanted, likelihood;
  std::unique_ptr<Session> session;
};

class Fit {
public:
  Fit(Model &model, const FitRuns &runs) : model_(model), asked_(model), runs_(runs) {}

  uint32_t run() {
    for (const FactorId id : model_.evidence.likelihoods)
      if (model_.factor(id).target)
        addTarget(id);
    refuseUnknown();
    for (const FittedFactor &target : targets_)
      compile(target);
    expect(kLeastRounds);
    double before = 1;
    for (double left = pass(); left > kTolerance; left = pass()) {
      if (++round_ > kMostFitRounds)
        refuseEndless(left);
      if (round_ >= kSteadyRound)
        expect(roundsAhead(before, left));
      before = left;
    }
    for (FittedFactor &target : targets_) {
      std::vector<double> stored;
      for (const ScaledNumber &weight : target.likelihood)
        stored.push_back(weight.nearest());
      if (std::ranges::any_of(target.likelihood,
                              [](const ScaledNumber &weight) { return !weight.value(); }))
        stored = widened(target.likelihood);
      setValues(model_.factors[target.factor.index()],
                std::make_shared<const std::vector<double>>(std::move(stored)),
                target.likelihood.size());
    }
    return round_;
  }

private:
  const Variable &variableOf(const FittedFactor &target) const {
    return model_.variable(target.variable);
  }

  void addTarget(FactorId id) {
    const Factor &factor = model_.factor(id);
    const uint64_t states = factor.values->size();
    const StoredValues wanted(*factor.target, states);
    const ScaledNumber sum = scaledSum(wanted, 0, states);
    FittedFactor target{id, factor.scope.front(), {}, {}, nullptr};
    for (uint64_t state = 0; state < states; ++state) {
      target.wanted.push_back(scaledQuotient(wanted.at(state), sum));
      target.likelihood.push_back(ScaledNumber::fromValue((*factor.values)[state]));
    }
    targets_.push_back(std::move(target));
    // A session binds the likelihoods found so far.
    Factor &input = asked_.factors[id.index()];
    forgetValues(input);
    input.target = nullptr;
  }

  void refuseUnknown() const {
    const std::string name = excerpt(variableOf(targets_.front()).name);
    if (hasManyCases(model_))
      failAt(ErrorKind::Unsupported, model_.listedCases,
             "'{}' is to have a posterior (observe ... ~ posterior), which is fitted for one case, "
             "not for a list: give the rows likelihoods of it",
             name);
    for (const Factor &factor : model_.factors)
      if (!storedValues(factor))
        fail(ErrorKind::Unsupported,
             "'{}' is to have a posterior (observe ... ~ posterior), which needs the values of all "
             "factors: {} is an input",
             name, excerpt(factor.name, 80));
  }

  void compile(const FittedFactor &target) {
    Query query = shortQuery(asked_, QueryKind::Joint, {target.variable});
    query.name = "the posterior of " + variableOf(target).name;
    asked_.queries = {query};
    programs_.push_back(runs_.compile(asked_, query));
    tableBytes_ = saturatingAdd(tableBytes_, neededTableBytes(programs_.back().bundle()));
  }

  /// Predicts the number of rounds ahead from the errors of two rounds.
  uint32_t roundsAhead(double before, double left) const {
    const uint32_t most = kMostFitRounds + 1 - round_;
    if (left >= before)
      return most;
    const double rounds = std::log(kTolerance / left) / std::log(left / before);
    return rounds < most ? static_cast<uint32_t>(std::ceil(rounds)) : most;
  }

  void expect(uint32_t rounds) {
    if (!runs_.expect)
      return;
    double mostUs = 0;
    for (const Program &program : programs_)
      mostUs += mostRunUs(program.bundle());
    if (rounds * mostUs * kSecondsPerUs < kShortSeconds)
      return;
    if (roundSeconds_ == 0)
      for (const Program &program : programs_)
        roundSeconds_ += predictSeconds(program, runs_.session);
    runs_.expect(rounds * roundSeconds_, programs_);
  }

  Result runOf(size_t t) {
    FittedFactor &target = targets_[t];
    if (!target.session)
      target.session = std::make_unique<Session>(programs_[t], runs_.session);
    for (const FittedFactor &other : targets_)
      target.session->bind(asked_.factor(other.factor).name,
                           std::span<const ScaledNumber>(other.likelihood));
    Result result = target.session->run();
    if (tableBytes_ > runs_.mostTableBytes)
      target.session.reset();
    return result;
  }

  /// Meets one target after the other. Returns the greatest difference from a target before that.
  double pass() {
    double worst = 0;
    for (size_t t = 0; t < targets_.size(); ++t) {
      FittedFactor &target = targets_[t];
      const Result result = runOf(t);
      if (result.zeroProbability)
        fail(ErrorKind::BadInput,
             "the evidence has probability zero: '{}' cannot have the posterior that it is to have",
             excerpt(variableOf(target).name));
      for (size_t state = 0; state < target.wanted.size(); ++state) {
        const ScaledNumber entry = result.tables.front().at(state);
        worst = std::max(worst, std::abs(entry.nearest() - target.wanted[state].nearest()));
        meet(target, state, entry);
      }
      const ScaledNumber greatest = *std::ranges::max_element(
          target.likelihood, {}, [](const ScaledNumber &weight) { return weight.log2(); });
      for (ScaledNumber &weight : target.likelihood)
        weight = scaledQuotient(weight, greatest);
    }
    return worst;
  }

  void meet(FittedFactor &target, size_t state, const ScaledNumber &has) const {
    const ScaledNumber &wanted = target.wanted[state];
    if (wanted.mantissa == 0)
      target.likelihood[state] = {};
    else if (has.mantissa == 0 && round_ <= 2) // every target's zeros are in by then
      refuseImpossible(target, state);
    else if (has.mantissa == 0) // it vanished while fitting went on
      refuseEndless(wanted.nearest());
    else
      target.likelihood[state] = target.likelihood[state] * scaledQuotient(wanted, has);
  }

  [[noreturn]] void refuseImpossible(const FittedFactor &target, size_t state) const {
    const Variable &variable = variableOf(target);
    fail(ErrorKind::BadInput,
         "{} = {} is to have the posterior {}, its probability is 0 with the other evidence",
         excerpt(variable.name),
         variable.labels.empty() ? std::to_string(state) : excerpt(variable.labels[state]),
         formatScaled(target.wanted[state]));
  }

  [[noreturn]] void refuseEndless(double left) const {
    std::string names;
    for (const FittedFactor &target : targets_)
      names += (names.empty() ? "" : ", ") + excerpt(variableOf(target).name);
    fail(ErrorKind::BadInput,
         "the posteriors of {} are not met together: after {} rounds of fitting one of them is "
         "still {:.3g} off. They may contradict each other or the model",
         names, std::min(round_, kMostFitRounds), left);
  }

  Model &model_;
  Model asked_; ///< likelihoods are inputs
  const FitRuns &runs_;
  std::vector<FittedFactor> targets_;
  std::vector<Program> programs_; ///< one for each target
  uint64_t tableBytes_ = 0;       ///< tables of all programs together
  double roundSeconds_ = 0;       ///< predicted; 0: not yet
  uint32_t round_ = 1;            ///< the current round
};

} // namespace

bool hasTargets(const Model &model) {
  return std::ranges::any_of(model.evidence.likelihoods,
                             [&model](FactorId id) { return model.factor(id).target != nullptr; });
}

Model fitted(Model model, const FitRuns &runs, uint32_t *rounds) {
  const uint32_t made = hasTargets(model) ? Fit(model, runs).run() : 0;
  if (rounds != nullptr)
    *rounds = made;
  return model;
}

} // namespace mpf
