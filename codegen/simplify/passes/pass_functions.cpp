#include "codegen/simplify/passes/pass_functions.h"

#include "codegen/simplify/state/edit_domains.h"
#include "codegen/simplify/state/table_ops.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <optional>

namespace mpf {

namespace {

/// The most entries of a factor that is searched for a function.
constexpr uint64_t kMaxElems = uint64_t{1} << 20;

enum class WantedFunctions { Copies, Functions };

/// The function Y = states[place of the arguments]; `weights` has the factor's values.
struct Function {
  uint32_t factor = 0;
  VarId variable;
  std::vector<VarId> arguments;
  std::vector<uint32_t> states;
  EntryTable weights;
  bool everywhere = true; ///< every assignment of the arguments has a state of Y
  bool oneToOne = false;  ///< everywhere, with one argument, and no state of Y occurs twice
};

class Substitution {
public:
  Substitution(SimplifyState &state, WantedFunctions wanted) : state_(state), wanted_(wanted) {}

  bool run() {
    bool changed = false;
    for (uint32_t f = 0; f < state_.factors.size(); ++f)
      while (substituteBy(f))
        changed = true;
    return changed;
  }

private:
  /// Returns the factors that hold a variable. Lists are made when the first table may be a
  /// function; most networks have none.
  std::vector<uint32_t> &factorsOf(VarId id) {
    if (factorsOf_.empty()) {
      factorsOf_.resize(state_.variables.size());
      for (uint32_t f = 0; f < state_.factors.size(); ++f)
        for (const VarId other : state_.factors[f].scope)
          factorsOf_[other.index()].push_back(f);
    }
    return factorsOf_[id.index()];
  }

  /// Whether a function may replace the variable. For marginals its posterior must follow from that
  /// of one variable.
  bool mayBeReplaced(VarId id, size_t arguments) const {
    if (state_.extent(id) < 2)
      return false; // a constant
    if (state_.traits().outputs == QueryOutputs::Posteriors)
      return arguments == 1 && state_.mayShrink(id);
    return state_.mayLeave(id) || state_.mayPassIndicatorOn(id);
  }

  /// Replaces one variable by the function that factor f defines, if there is one.
  bool substituteBy(uint32_t f) {
    const SimplifyFactor &factor = state_.factors[f];
    const size_t arity = factor.scope.size();
    if (!factor.known() || arity < 2 || (wanted_ == WantedFunctions::Copies && arity != 2) ||
        factor.values.size() > kMaxElems ||
        std::none_of(factor.scope.begin(), factor.scope.end(),
                     [&](VarId id) { return mayBeReplaced(id, arity - 1); }))
      return false;
    const auto zeros = static_cast<uint64_t>(
        std::count_if(factor.values.begin(), factor.values.end(),
                      [&](Entry entry) { return state_.algebra.isZero(entry); }));
    for (size_t axis = arity; axis-- > 0;) { // a conditional table's child is last
      const uint64_t rows = factor.values.size() / state_.extent(factor.scope[axis]);
      if (zeros + rows < factor.values.size() || !mayBeReplaced(factor.scope[axis], arity - 1))
        continue;
      // The table need not be read for the function if replacing would make tables grow.
      if (wanted_ == WantedFunctions::Functions && grows(f, axis))
        continue;
      const std::optional<Function> function = functionOf(f, axis);
      if (function && isWorthwhile(*function)) {
        substitute(*function);
        return true;
      }
    }
    return false;
  }

  std::optional<Function> functionOf(uint32_t f, size_t axis) const {
    const SimplifyFactor &factor = state_.factors[f];
    const Extents extents = state_.extents(factor.scope);
    uint64_t inner = 1;
    for (size_t a = axis + 1; a < extents.size(); ++a)
      inner *= extents[a];
    const uint32_t states = extents[axis];
    const Algebra &algebra = state_.algebra;
    Function function{f, factor.scope[axis], factor.scope, {}, {}};
    function.arguments.erase(function.arguments.begin() + static_cast<std::ptrdiff_t>(axis));
    std::vector<char> used(states, 0);
    function.oneToOne = function.arguments.size() == 1;
    EntryTableBuilder weights(factor.values.size() / states);
    for (uint64_t start = 0; start < factor.values.size(); start += inner * states)
      for (uint64_t i = 0; i < inner; ++i) {
        uint32_t state = AnswerStep::kNoState;
        for (uint32_t s = 0; s < states; ++s) {
          if (algebra.isZero(factor.values[start + s * inner + i]))
            continue;
          if (state != AnswerStep::kNoState)
            return std::nullopt;
          state = s;
        }
        const bool some = state != AnswerStep::kNoState;
        function.everywhere &= some;
        function.oneToOne &= some && !used[state];
        state = some ? state : 0;
        used[state] = 1;
        function.states.push_back(state);
        weights.add(some ? factor.values[start + state * inner + i] : algebra.zero());
      }
    function.weights = weights.finish();
    return function;
  }

  /// Returns the scope of a factor after `variable` was replaced. `arguments` are all other
  /// variables of the table that defines the function.
  static std::vector<VarId> scopeAfter(const SimplifyFactor &factor, VarId variable,
                                       const std::vector<VarId> &arguments) {
    std::vector<VarId> scope;
    for (const VarId id : factor.scope)
      if (id != variable)
        scope.push_back(id);
    for (const VarId id : arguments)
      if (id != variable && std::find(scope.begin(), scope.end(), id) == scope.end())
        scope.push_back(id);
    return scope;
  }

  /// Whether the largest table, or all together, would grow if a function replaced this axis of
  /// `f`.
  bool grows(uint32_t f, size_t axis) {
    const SimplifyFactor &definition = state_.factors[f];
    const VarId variable = definition.scope[axis];
    uint64_t greatest = 0, before = 0, greatestAfter = 0,
             after = definition.values.size() / state_.extent(variable);
    for (const uint32_t other : factorsOf(variable)) {
      const SimplifyFactor &factor = state_.factors[other];
      greatest = std::max(greatest, state_.elems(factor.scope));
      before += state_.elems(factor.scope);
      if (other == f)
        continue;
      const uint64_t elems = state_.elems(scopeAfter(factor, variable, definition.scope));
      greatestAfter = std::max(greatestAfter, elems);
      after = saturatingAdd(after, elems);
    }
    return greatestAfter > greatest || after > before;
  }

  bool isWorthwhile(const Function &function) const {
    if (function.arguments.size() == 1 && !function.everywhere)
      return false; // all states would be gone: zero propagation is turned off
    return wanted_ == WantedFunctions::Functions || function.oneToOne;
  }

  void substitute(const Function &function) {
    for (const uint32_t f : factorsOf(function.variable))
      if (f != function.factor)
        substituteIn(f, function);
    record(function);
    SimplifyFactor &definition = state_.factors[function.factor];
    definition.scope = function.arguments;
    definition.values = function.weights;
    factorsOf(function.variable).clear();
    state_.variable(function.variable).hasIndicator = false; // its arguments have it
    leave(state_, function.variable);
  }

  /// Replaces f(Y, Z) by f(function(X), Z).
  void substituteIn(uint32_t f, const Function &function) {
    SimplifyFactor &factor = state_.factors[f];
    std::vector<VarId> scope = scopeAfter(factor, function.variable, function.arguments);
    const Extents extents = state_.extents(scope);
    const std::vector<uint64_t> oldStrides = stridesOf(state_.extents(factor.scope));
    const std::vector<uint64_t> argumentStrides = stridesOf(state_.extents(function.arguments));
    std::vector<uint64_t> strides(scope.size(), 0), places(scope.size(), 0);
    uint64_t ownStride = 0;
    for (size_t a = 0; a < factor.scope.size(); ++a) {
      const auto at = std::find(scope.begin(), scope.end(), factor.scope[a]);
      (at == scope.end() ? ownStride : strides[static_cast<size_t>(at - scope.begin())]) =
          oldStrides[a];
    }
    for (size_t a = 0; a < function.arguments.size(); ++a)
      places[static_cast<size_t>(std::find(scope.begin(), scope.end(), function.arguments[a]) -
                                 scope.begin())] = argumentStrides[a];
    Odometer others(extents, std::move(strides)), place(extents, std::move(places));
    std::vector<uint64_t> sources; // by entry of the result
    do
      sources.push_back(others.offset() + ownStride * function.states[place.offset()]);
    while (others.next() && place.next());
    for (const VarId id : scope)
      if (std::find(factor.scope.begin(), factor.scope.end(), id) == factor.scope.end())
        factorsOf(id).push_back(f);
    factor.scope = std::move(scope);
    if (factor.isIndicator)
      moveIndicator(factor, sources);
    else
      moveEntries(factor, sources);
  }

  static void moveEntries(SimplifyFactor &factor, const std::vector<uint64_t> &sources) {
    EntryTableBuilder values(sources.size());
    for (const uint64_t source : sources)
      values.add(factor.values[source]);
    factor.values = values.finish();
  }

  void moveIndicator(SimplifyFactor &factor, const std::vector<uint64_t> &sources) {
    std::vector<uint32_t> states;
    for (const uint64_t source : sources)
      states.push_back(factor.declaredStates.empty() ? static_cast<uint32_t>(source)
                                                     : factor.declaredStates[source]);
    factor.declaredStates = std::move(states);
    for (const VarId id : factor.scope)
      state_.variable(id).hasIndicator = true;
  }

  void record(const Function &function) {
    if (!needsStep(state_, function.variable))
      return;
    AnswerStep step;
    step.variable = function.variable;
    step.newState.assign(state_.extent(function.variable), 0);
    if (function.arguments.size() == 1) {
      step.source = function.arguments.front();
      step.stateOf = function.states;
    } else {
      const SimplifyFactor &definition = state_.factors[function.factor];
      step.scope = definition.scope;
      step.scopeExtents = state_.extents(definition.scope);
      step.table = definition.values.values();
    }
    state_.steps.push_back(std::move(step));
  }

  SimplifyState &state_;
  WantedFunctions wanted_;
  /// Factors by variable, kept up to date; empty: not listed.
  std::vector<std::vector<uint32_t>> factorsOf_;
};

} // namespace

bool passAliases(SimplifyState &state) {
  return Substitution(state, WantedFunctions::Copies).run();
}
bool passFunctions(SimplifyState &state) {
  return Substitution(state, WantedFunctions::Functions).run();
}

} // namespace mpf
