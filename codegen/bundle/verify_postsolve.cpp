#include "codegen/bundle/verify_postsolve.h"

#include "codegen/bundle/held_variables.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

namespace mpf {

namespace {

/// Scales of real problems are a few thousand bits per factor; sums of them must not wrap.
constexpr int64_t kMaxScaleExponent = int64_t{1} << 60;

template <class... Args>
void require(bool condition, fmt::format_string<Args...> format, Args &&...args) {
  if (!condition)
    fail(ErrorKind::BadInput, "bundle: answer: {}",
         fmt::format(format, std::forward<Args>(args)...));
}

/// Walks the steps backwards, as postsolving does, with the extents that variables have at each
/// step.
class Walk {
public:
  explicit Walk(const Bundle &bundle) : answer_(*bundle.answer) {
    require(answer_.variables.size() == bundle.variables.size(), "{} variables, the bundle has {}",
            answer_.variables.size(), bundle.variables.size());
    for (const HeadVariable &variable : bundle.variables)
      extents_.push_back(variable.extent);
    greatest_ = extents_;
  }

  void run(const Bundle &bundle) {
    const QueryTraits &traits = traitsOf(bundle.kind);
    require(traits.restored != Restored::Nothing, "a query of kind {} is not simplified",
            traits.name);
    const std::string fault = findEvidenceFault(answer_.evidence, answer_.variables);
    require(fault.empty(), "{}", fault);
    require(!answer_.evidence.listed, "a list of cases");
    for (const Finding &finding : answer_.evidence.findings)
      require(finding.fixed || bundle.evidence.observes(finding.variable),
              "the bundle does not observe variable {}", finding.variable);
    if (traits.outputs == QueryOutputs::Posteriors)
      checkPosteriors(bundle);
    for (size_t i = answer_.steps.size(); i-- > 0;)
      check(answer_.steps[i], i);
    // Steps need not restore a variable whose posterior is left out, unless it is held.
    const std::span<const VarId> held = heldVariables(bundle);
    const auto isWhole = [&](VarId id) {
      return traits.outputs != QueryOutputs::Posteriors ||
             bundle.variables[id.index()].hasPosterior() ||
             std::ranges::find(held, id) != held.end();
    };
    for (size_t i = 0; i < extents_.size(); ++i)
      checkVariable(answer_.variables[i], traits.asksEachVariable() && isWhole(VarId{i})
                                              ? extents_[i]
                                              : answer_.variables[i].extent);
    for (const BundleOutput &output : bundle.outputs) {
      for (const VarId id : output.scope)
        if (isWhole(id))
          checkVariable(answer_.variables[id.index()], extents_[id.index()]);
      uint64_t elems = 1;
      for (const VarId id : output.scope)
        elems = saturatingMul(elems, greatest_[id.index()]);
      require(elems <= kMaxRestoredElems, "output {} grows to {} entries", output.name, elems);
    }
  }

private:
  /// Checks that steps of marginals start from a posterior of the bundle, or from a variable with
  /// one possible state: its only state, or the observed one.
  void checkPosteriors(const Bundle &bundle) const {
    std::vector<char> known;
    for (size_t i = 0; i < bundle.variables.size(); ++i)
      known.push_back(bundle.variables[i].extent == 1 || bundle.evidence.observes(VarId{i}));
    for (size_t i = 1; i < bundle.outputs.size(); ++i)
      known[bundle.outputs[i].scope.back().index()] = 1;
    for (const VarId id : heldVariables(bundle))
      known[id.index()] = 1; // certain, for each of its states
    for (size_t i = 0; i < answer_.steps.size(); ++i)
      for (const VarId id :
           {answer_.steps[i].variable, answer_.steps[i].source.value_or(answer_.steps[i].variable)})
        require(id.index() < known.size() && known[id.index()],
                "step {} needs a posterior of variable {}, which the bundle does not have", i,
                id.value);
    for (size_t i = 0; i < known.size(); ++i)
      require(known[i] || !bundle.variables[i].hasPosterior() ||
                  answer_.evidence.observes(VarId{i}),
              "variable {} has no posterior", i);
    for (const AnswerStep &step : answer_.steps)
      require(std::ranges::find(heldVariables(bundle), step.variable) ==
                  heldVariables(bundle).end(),
              "a step changes variable {}, which is held", step.variable.value);
  }

  void check(const AnswerStep &step, size_t number) {
    require(step.variable.index() < extents_.size(), "step {} changes variable {} of {}", number,
            step.variable.value, extents_.size());
    uint32_t &extent = extents_[step.variable.index()];
    require(!step.newState.empty(), "step {} has no states", number);
    for (const uint32_t state : step.newState)
      require(state == AnswerStep::kNoState || state < extent, "step {} maps to state {} of {}",
              number, state, extent);
    require(step.share.empty() || step.share.size() == step.newState.size(),
            "step {} has {} shares for {} states", number, step.share.size(), step.newState.size());
    for (const double share : step.share)
      require(std::isfinite(share), "step {} has a share that is not finite", number);
    if (step.source)
      checkSource(step, number);
    extent = static_cast<uint32_t>(step.newState.size());
    greatest_[step.variable.index()] = std::max(greatest_[step.variable.index()], extent);
    if (step.table != nullptr)
      checkTable(step, number);
  }

  void checkSource(const AnswerStep &step, size_t number) const {
    require(step.source->index() < extents_.size() && *step.source != step.variable,
            "step {} takes its state from variable {}", number, step.source->value);
    require(step.stateOf.size() == extents_[step.source->index()],
            "step {} knows {} states of a source that has {}", number, step.stateOf.size(),
            extents_[step.source->index()]);
    for (const uint32_t state : step.stateOf)
      require(state < step.newState.size(), "step {} gives state {} of {}", number, state,
              step.newState.size());
  }

  void checkTable(const AnswerStep &step, size_t number) const {
    require(std::find(step.scope.begin(), step.scope.end(), step.variable) != step.scope.end() &&
                step.scope.size() == step.scopeExtents.size(),
            "step {} has a table without its variable", number);
    uint64_t elems = 1;
    for (size_t a = 0; a < step.scope.size(); ++a) {
      const VarId id = step.scope[a];
      require(id.index() < extents_.size() && step.scopeExtents[a] == extents_[id.index()],
              "step {} has a table of other extents than its variables", number);
      elems = saturatingMul(elems, step.scopeExtents[a]);
    }
    require(elems == step.table->size(), "step {} has a table of {} entries for {}", number,
            step.table->size(), elems);
  }

  void checkVariable(const HeadVariable &variable, uint32_t extent) const {
    require(extent == variable.extent, "variable {} comes back with {} of {} states", variable.name,
            extent, variable.extent);
    const std::string fault = labelsFault(variable);
    require(fault.empty(), "{}", fault);
  }

  const PostsolveMap &answer_;
  std::vector<uint32_t> extents_;
  std::vector<uint32_t> greatest_; ///< greatest extent at any step
};

} // namespace

void verifyAnswer(const Bundle &bundle) {
  if (!bundle.answer)
    return;
  const ScaledNumber &factor = bundle.answer->scale.factor;
  require(factor.isNormalised() && factor.exponent <= kMaxScaleExponent &&
              factor.exponent >= -kMaxScaleExponent,
          "its scale is {} * 2^{}, not 0 nor a mantissa in [1, 2) and an exponent within 2^60",
          factor.mantissa, factor.exponent);
  require(std::abs(bundle.answer->scale.offset) <= AnswerScale::kMaxOffset, // false for NaN
          "its offset is {}, the greatest magnitude is {}", bundle.answer->scale.offset,
          AnswerScale::kMaxOffset);
  Walk(bundle).run(bundle);
}

} // namespace mpf
