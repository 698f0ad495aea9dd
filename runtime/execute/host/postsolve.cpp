#include "runtime/execute/host/postsolve.h"

#include "codegen/bundle/held_variables.h"
#include "dsl/support/check.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/integer_tables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

namespace mpf {

namespace {

/// Returns the entry that represents zero.
double zeroOf(const ResultTable &table, bool plain) {
  return table.logEntries || plain ? -kInfinity : 0;
}

/// Scales whole numbers. The scale must be a whole number below 2^53.
void scaleInteger(const AnswerScale &scale, bool plain, ElementType type, ResultTable &table) {
  const double factor = std::ldexp(scale.factor.mantissa, static_cast<int>(scale.factor.exponent));
  if (plain ? !isIntegerBelow(scale.offset, 53) : !isIntegerBelow(factor, 53))
    fail(ErrorKind::BadInput, "bundle: answer: a scale of {} plus {} is no whole number", factor,
         scale.offset);
  for (size_t i = 0; i < table.integerEntries.size(); ++i) {
    Uint128 &entry = table.integerEntries[i];
    const bool fits = plain ? addIntegers(entry, static_cast<Uint128>(scale.offset), entry)
                            : multiplyIntegers(entry, static_cast<Uint128>(factor), entry);
    if (!fits || (type == ElementType::U64 && entry > UINT64_MAX))
      failOverflow(table.name, type);
    table.entries[i] = static_cast<double>(entry);
  }
}

/// Adds the offset to sums of costs. Entries that were scaled up (so that f32 does not round them
/// to 0) are scaled down first: the scaled offset could leave the range.
void addOffset(double offset, ResultTable &table) {
  if (offset == 0)
    return;
  const auto down = static_cast<int>(std::min<int64_t>(table.exponent, 0));
  table.exponent -= down;
  const double scaled = std::ldexp(offset, static_cast<int>(-table.exponent));
  for (double &entry : table.entries)
    entry = std::ldexp(entry, down) + scaled;
}

void scaleTable(const AnswerScale &scale, bool plain, ResultTable &table) {
  if (plain)
    return addOffset(scale.offset, table);
  if (scale.factor.mantissa == 0) {
    table.entries.assign(table.entries.size(), zeroOf(table, plain));
    return;
  }
  const double offset = scale.offset * std::numbers::log2e; // logs: e^offset = 2^offset
  const double whole = std::floor(offset);
  const double factor = scale.factor.mantissa * std::exp2(offset - whole);
  table.exponent += scale.factor.exponent + static_cast<int64_t>(whole);
  for (double &entry : table.entries)
    entry = table.logEntries ? entry + std::log2(std::abs(factor)) : entry * factor;
  if (!table.logEntries || factor > 0)
    return;
  table.signs.resize(table.entries.size(), 1);
  for (int8_t &sign : table.signs)
    sign = static_cast<int8_t>(-sign);
}

/// True if some share of an entry is not a normal double and would lose digits.
bool leavesDoubles(const AnswerStep &step, std::span<const double> entries) {
  if (step.share.empty())
    return false;
  double least = kInfinity, leastShare = 1;
  for (const double entry : entries)
    least = entry == 0 ? least : std::min(least, std::abs(entry));
  for (const double share : step.share)
    leastShare = share == 0 ? leastShare : std::min(leastShare, share);
  return least * leastShare < std::numeric_limits<double>::min();
}

bool isBelowZero(double entry) { return entry < 0; }

void takeLogs(std::span<double> entries) {
  for (double &entry : entries)
    entry = std::log2(std::abs(entry));
}

void takeLogs(ResultTable &table) {
  if (std::ranges::any_of(table.entries, isBelowZero))
    for (const double entry : table.entries)
      table.signs.push_back(entry < 0 ? -1 : 1);
  takeLogs(std::span(table.entries));
  table.logEntries = true;
}

/// Returns log2(2^a + 2^b).
double log2OfSum(double a, double b) {
  const double greater = std::max(a, b);
  return std::isinf(greater) ? greater
                             : greater + std::log2(1 + std::exp2(std::min(a, b) - greater));
}

/// Restores the old states of axis `axis` of a table.
void expandAxis(const AnswerStep &step, size_t axis, bool plain, ResultTable &table) {
  uint64_t inner = 1, outer = 1;
  for (size_t a = 0; a < table.extents.size(); ++a)
    (a < axis ? outer : inner) *= a == axis ? 1 : table.extents[a];
  const uint64_t states = step.newState.size(), had = table.extents[axis];
  std::vector<double> entries(outer * states * inner, zeroOf(table, plain));
  std::vector<int8_t> signs(table.signs.empty() ? 0 : entries.size(), 1);
  std::vector<Uint128> integerEntries(table.integerEntries.empty() ? 0 : entries.size(), 0);
  for (uint64_t o = 0; o < outer; ++o)
    for (uint64_t s = 0; s < states; ++s) {
      if (step.newState[s] == AnswerStep::kNoState)
        continue;
      const uint64_t from = (o * had + step.newState[s]) * inner;
      const uint64_t to = (o * states + s) * inner;
      const double share = step.share.empty() ? 1 : step.share[s];
      for (uint64_t i = 0; i < inner; ++i) {
        const double entry = table.entries[from + i];
        entries[to + i] = table.logEntries ? entry + std::log2(share) : entry * share;
        if (!signs.empty())
          signs[to + i] = table.signs[from + i];
        if (!integerEntries.empty()) // states have no shares: only posteriors have
          integerEntries[to + i] = table.integerEntries[from + i];
      }
    }
  table.entries = std::move(entries);
  table.signs = std::move(signs);
  table.integerEntries = std::move(integerEntries);
  table.extents[axis] = static_cast<uint32_t>(states);
}

class Restoration {
public:
  Restoration(const Bundle &bundle, Result &result)
      : bundle_(bundle), answer_(*bundle.answer), result_(result), plain_(hasPlainTables(bundle)),
        minimises_(minimises(bundle)) {}

  void run() {
    // The factor 0 makes the probability 0, although the simplified problem has a value.
    // Assignments are kept: a minimum of products with a factor 0 is 0, which is a value.
    result_.zeroProbability |=
        !plain_ && answer_.scale.factor.mantissa == 0 && result_.assignments.empty();
    MPF_CHECK(result_.tables.size() == bundle_.outputs.size(), "{} tables for {} outputs",
              result_.tables.size(), bundle_.outputs.size());
    for (ResultTable &table : result_.tables)
      if (!table.integerEntries.empty())
        scaleInteger(answer_.scale, plain_, bundle_.type, table);
      else if (!table.normalised)
        scaleTable(answer_.scale, plain_, table);
    if (traitsOf(bundle_.kind).outputs == QueryOutputs::Posteriors)
      restoreMarginals();
    else
      restoreAxes();
    for (ResultAssignment &assignment : result_.assignments)
      if (!assignment.states.empty())
        restoreStates(assignment.states);
  }

private:
  void restoreAxes() {
    for (size_t t = 0; t < result_.tables.size(); ++t) {
      ResultTable &table = result_.tables[t];
      const std::vector<VarId> &scope = bundle_.outputs[t].scope;
      for (size_t a = 0; a < scope.size(); ++a) {
        if (table.entries.empty()) { // no posterior: only the shape is restored
          table.extents[a] = answer_.variables[scope[a].index()].extent;
          continue;
        }
        for (size_t i = answer_.steps.size(); i-- > 0;)
          if (answer_.steps[i].variable == scope[a]) {
            if (!table.logEntries && leavesDoubles(answer_.steps[i], table.entries) &&
                std::ranges::none_of(table.entries, isBelowZero))
              takeLogs(table);
            expandAxis(answer_.steps[i], a, plain_, table);
          }
      }
    }
  }

  /// The posterior of one variable, with a row for each joint state of the held variables that it
  /// depends on.
  struct Posterior {
    std::vector<VarId> held = {};
    std::vector<double> entries = {};
    uint64_t rows = 1;
    bool areLogs = false; ///< the entries are logarithms to base 2
  };

  /// Builds one posterior per variable, then undoes the steps in reverse order.
  void restoreMarginals() {
    std::vector<Posterior> posteriors;
    for (size_t i = 0; i < bundle_.variables.size(); ++i)
      posteriors.push_back({.entries = certain(i)});
    for (const VarId id : heldVariables(bundle_))
      posteriors[id.index()] = itself(id);
    for (size_t t = 1; t < result_.tables.size(); ++t) {
      const std::vector<VarId> &scope = bundle_.outputs[t].scope;
      Posterior &posterior = posteriors[scope.back().index()];
      posterior.held.assign(scope.begin(), scope.end() - 1);
      posterior.entries = std::move(result_.tables[t].entries);
      posterior.areLogs = result_.tables[t].logEntries;
      for (const VarId id : posterior.held)
        posterior.rows *= bundle_.variables[id.index()].extent;
    }
    result_.tables.resize(1); // keeps the evidence
    if (!result_.zeroProbability)
      for (size_t i = answer_.steps.size(); i-- > 0;)
        undo(answer_.steps[i], posteriors);
    for (size_t i = 0; i < posteriors.size(); ++i) {
      const HeadVariable &variable = answer_.variables[i];
      if (answer_.evidence.observes(VarId{i}) || isHeld(VarId{i}) ||
          !bundle_.variables[i].hasPosterior())
        continue;
      ResultTable table;
      table.name = variable.name;
      for (const VarId id : posteriors[i].held) {
        table.variables.push_back(answer_.variables[id.index()].name);
        table.extents.push_back(answer_.variables[id.index()].extent);
      }
      table.variables.push_back(variable.name);
      table.extents.push_back(variable.extent);
      table.normalised = true;
      table.logEntries = posteriors[i].areLogs;
      if (!result_.zeroProbability)
        table.entries = std::move(posteriors[i].entries);
      result_.tables.push_back(std::move(table));
    }
  }

  /// Returns the posterior of a held variable given itself: certainty for each of its states.
  Posterior itself(VarId id) const {
    const uint32_t extent = bundle_.variables[id.index()].extent;
    Posterior posterior{{id}, std::vector<double>(size_t{extent} * extent, 0), extent};
    for (size_t state = 0; state < extent; ++state)
      posterior.entries[state * extent + state] = 1;
    return posterior;
  }

  bool isHeld(VarId id) const {
    const std::span<const VarId> held = heldVariables(bundle_);
    return std::ranges::find(held, id) != held.end();
  }

  /// Returns the posterior of a variable of one state, or of one that a session observes.
  std::vector<double> certain(size_t variable) const {
    const uint32_t extent = bundle_.variables[variable].extent;
    if (extent == 1 || !bundle_.evidence.observes(VarId{variable}))
      return {1.0};
    std::vector<double> posterior(extent, 0);
    posterior[result_.evidence.state(VarId{variable}).value_or(0)] = 1;
    return posterior;
  }

  static void undo(const AnswerStep &step, std::vector<Posterior> &posteriors) {
    const Posterior &from = posteriors[step.source.value_or(step.variable).index()];
    const size_t states = step.newState.size(), had = from.entries.size() / from.rows;
    std::span<const double> entries = from.entries;
    std::vector<double> logs;
    if (!from.areLogs && leavesDoubles(step, entries) &&
        std::ranges::none_of(entries, isBelowZero)) {
      logs.assign(entries.begin(), entries.end());
      takeLogs(logs);
      entries = logs;
    }
    const bool areLogs = from.areLogs || !logs.empty();
    Posterior old{from.held, std::vector<double>(from.rows * states, areLogs ? -kInfinity : 0),
                  from.rows, areLogs};
    for (uint64_t row = 0; row < from.rows; ++row)
      undoRow(step, entries.subspan(row * had, had),
              std::span(old.entries).subspan(row * states, states), areLogs);
    posteriors[step.variable.index()] = std::move(old);
  }

  static void undoRow(const AnswerStep &step, std::span<const double> now, std::span<double> old,
                      bool areLogs) {
    if (step.source) {
      for (size_t s = 0; s < now.size(); ++s) {
        double &sum = old[step.stateOf[s]];
        sum = areLogs ? log2OfSum(sum, now[s]) : sum + now[s];
      }
      return;
    }
    for (size_t s = 0; s < old.size(); ++s)
      if (step.newState[s] != AnswerStep::kNoState) {
        const double share = step.share.empty() ? 1 : step.share[s];
        const double entry = now[step.newState[s]];
        old[s] = areLogs ? entry + std::log2(share) : entry * share;
      }
  }

  void restoreStates(std::vector<uint32_t> &states) const {
    for (size_t i = answer_.steps.size(); i-- > 0;) {
      const AnswerStep &step = answer_.steps[i];
      uint32_t &state = states[step.variable.index()];
      state = step.source ? step.stateOf[states[step.source->index()]] : bestOf(step, states);
    }
    const Evidence &declared = answer_.evidence;
    for (const Finding &finding : declared.findings)
      if (finding.fixed)
        states[finding.variable.index()] = *declared.state(finding.variable);
  }

  /// Returns the best old state among those that became the present state.
  uint32_t bestOf(const AnswerStep &step, const std::vector<uint32_t> &states) const {
    const uint32_t now = states[step.variable.index()];
    uint64_t base = 0, stride = 1, own = 0;
    for (size_t a = step.scope.size(); a-- > 0; stride *= step.scopeExtents[a])
      (step.scope[a] == step.variable ? own : base) +=
          step.scope[a] == step.variable ? stride : stride * states[step.scope[a].index()];
    uint32_t best = AnswerStep::kNoState;
    double bestValue = 0;
    for (uint32_t s = 0; s < step.newState.size(); ++s) {
      if (step.newState[s] != now)
        continue;
      const double value = step.table != nullptr ? (*step.table)[base + s * own]
                           : step.share.empty()  ? 0
                                                 : step.share[s];
      const bool isBetter = minimises_ ? value < bestValue : value > bestValue;
      if (best == AnswerStep::kNoState || isBetter) {
        best = s;
        bestValue = value;
      }
    }
    if (best == AnswerStep::kNoState)
      fail(ErrorKind::BadInput, "bundle: answer: no state of variable {} became state {}",
           step.variable.value, now);
    return best;
  }

  const Bundle &bundle_;
  const PostsolveMap &answer_;
  Result &result_;
  bool plain_, minimises_;
};

} // namespace

void postsolve(const Bundle &bundle, Result &result) { Restoration(bundle, result).run(); }

} // namespace mpf
