#include "runtime/library/jit_fit.h"

#include "dsl/model/edit_evidence.h"
#include "dsl/source/text_error.h"
#include "dsl/support/error.h"
#include "dsl/syntax/spelling.h"
#include "runtime/api/mpf.h"
#include "runtime/library/jit_model.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace mpf {

namespace {

constexpr double kTolerance = 1e-12;

/// A variable with a posterior to be met, and the program that computes the one it has.
struct Target {
  FactorId factor;
  VarId variable;
  std::vector<double> wanted, likelihood;
  std::unique_ptr<Session> session;
};

class Fit {
public:
  explicit Fit(Model &model) : model_(model), asked_(model) {}

  uint32_t run() {
    for (const FactorId id : model_.evidence.likelihoods)
      if (model_.factor(id).target)
        addTarget(id);
    refuseUnknown();
    for (Target &target : targets_)
      compile(target);
    for (double left = pass(); left > kTolerance; left = pass())
      if (++round_ > kMostFitRounds)
        refuseEndless(left);
    for (Target &target : targets_) {
      Factor &factor = model_.factors[target.factor.index()];
      setValues(factor, std::make_shared<const std::vector<double>>(std::move(target.likelihood)));
    }
    return round_;
  }

private:
  const Variable &variableOf(const Target &target) const {
    return model_.variable(target.variable);
  }

  void addTarget(FactorId id) {
    const Factor &factor = model_.factor(id);
    Target target{id, factor.scope.front(), *factor.target, *factor.values, nullptr};
    double sum = 0;
    for (const double entry : target.wanted)
      sum += entry;
    for (double &entry : target.wanted)
      entry /= sum;
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

  void compile(Target &target) {
    asked_.queries = {shortQuery(asked_, QueryKind::Joint, {target.variable})};
    CompileOptions options;
    options.device = "cpu";
    options.finalTables = options.finalEvidence = true;
    SessionOptions run;
    run.device = "cpu";
    target.session = std::make_unique<Session>(compileModel(asked_, options), run);
  }

  /// Meets one target after the other; how far the worst was from being met before.
  double pass() {
    double worst = 0;
    for (Target &target : targets_) {
      for (const Target &other : targets_)
        target.session->bind(asked_.factor(other.factor).name, other.likelihood);
      const Result result = target.session->run();
      if (result.zeroProbability)
        fail(ErrorKind::BadInput,
             "the evidence has probability zero: '{}' cannot have the posterior that it is to have",
             excerpt(variableOf(target).name));
      for (size_t state = 0; state < target.wanted.size(); ++state) {
        const ScaledNumber entry = result.tables.front().at(state);
        const double has = std::ldexp(entry.mantissa, static_cast<int>(entry.exponent));
        worst = std::max(worst, std::abs(has - target.wanted[state]));
        meet(target, state, has);
      }
      const double greatest = *std::ranges::max_element(target.likelihood);
      for (double &weight : target.likelihood)
        weight /= greatest;
    }
    return worst;
  }

  void meet(Target &target, size_t state, double has) const {
    const double wanted = target.wanted[state];
    if (wanted == 0)
      target.likelihood[state] = 0;
    else if (has == 0 && round_ <= 2) // every target's zeros are in by then
      refuseImpossible(target, state);
    else if (has == 0) // it vanished while fitting went on
      refuseEndless(wanted);
    else
      target.likelihood[state] *= wanted / has;
  }

  [[noreturn]] void refuseImpossible(const Target &target, size_t state) const {
    const Variable &variable = variableOf(target);
    fail(ErrorKind::BadInput,
         "{} = {} is to have the posterior {}, its probability is 0 with the other evidence",
         excerpt(variable.name),
         variable.labels.empty() ? std::to_string(state) : excerpt(variable.labels[state]),
         target.wanted[state]);
  }

  [[noreturn]] void refuseEndless(double left) const {
    std::string names;
    for (const Target &target : targets_)
      names += (names.empty() ? "" : ", ") + excerpt(variableOf(target).name);
    fail(ErrorKind::BadInput,
         "the posteriors of {} are not met together: after {} rounds of fitting one of them is "
         "still {:.3g} off. They may contradict each other or the model",
         names, std::min(round_, kMostFitRounds), left);
  }

  Model &model_;
  Model asked_; ///< likelihoods are inputs
  std::vector<Target> targets_;
  uint32_t round_ = 1; ///< that is going on
};

} // namespace

Model fitted(Model model, uint32_t *rounds) {
  const bool hasTargets = std::ranges::any_of(
      model.evidence.likelihoods, [&](FactorId id) { return model.factor(id).target != nullptr; });
  const uint32_t made = hasTargets ? Fit(model).run() : 0;
  if (rounds != nullptr)
    *rounds = made;
  return model;
}

} // namespace mpf
