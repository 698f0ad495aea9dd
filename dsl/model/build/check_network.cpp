#include "dsl/model/build/check_network.h"

#include "dsl/support/check.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr size_t kNamesShown = 8;
constexpr const char *kConsequence = "answers are of an unnormalised product";

/// "a, b, c" or "a <- b <- ... 7 more".
std::string namesOf(const Model &model, const std::vector<VarId> &variables,
                    std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < variables.size() && i < kNamesShown; ++i)
    text += fmt::format("{}{}", i ? separator : "", excerpt(model.variable(variables[i]).name));
  if (variables.size() > kNamesShown)
    text += fmt::format("{}... {} more", separator, variables.size() - kNamesShown);
  return text;
}

/// Searches a cycle depth first, from each variable to its parents.
class CycleSearch {
public:
  CycleSearch(const Model &model, const std::vector<VarId> &children)
      : model_(model), table_(model.variables.size()), state_(model.variables.size(), New) {
    for (size_t i = 0; i < children.size(); ++i)
      if (children[i].valid() && !table_[children[i].index()].valid())
        table_[children[i].index()] = FactorId(i);
  }

  /// Returns a cycle: each variable is a parent of the previous one, the first of the last. Empty:
  /// there is none.
  std::vector<VarId> run() {
    for (size_t i = 0; i < state_.size(); ++i)
      if (state_[i] == New)
        if (const std::vector<VarId> cycle = from(VarId(i)); !cycle.empty())
          return cycle;
    return {};
  }

  FactorId tableOf(VarId child) const { return table_[child.index()]; }

private:
  enum State : uint8_t { New, OnPath, Done };
  struct Step {
    VarId variable;
    size_t next = 0; ///< next position in the scope of its table
  };

  std::vector<VarId> from(VarId start) {
    std::vector<Step> path{{start}};
    state_[start.index()] = OnPath;
    while (!path.empty()) {
      Step &step = path.back();
      const FactorId table = tableOf(step.variable);
      if (!table.valid() || step.next == model_.factor(table).scope.size()) {
        state_[step.variable.index()] = Done;
        path.pop_back();
        continue;
      }
      const VarId parent = model_.factor(table).scope[step.next++];
      if (parent == step.variable || state_[parent.index()] == Done)
        continue;
      if (state_[parent.index()] == OnPath)
        return cycleOf(model_, path, parent);
      state_[parent.index()] = OnPath;
      path.push_back({parent});
    }
    return {};
  }

  static std::vector<VarId> cycleOf(const Model &model, const std::vector<Step> &path,
                                    VarId first) {
    std::vector<VarId> cycle;
    auto step = std::find_if(path.begin(), path.end(),
                             [first](const Step &s) { return s.variable == first; });
    for (; step != path.end(); ++step)
      if (!model.variable(step->variable).auxiliary)
        cycle.push_back(step->variable);
    return cycle;
  }

  const Model &model_;
  std::vector<FactorId> table_; ///< table of each child; not valid: none
  std::vector<State> state_;
};

void warnOfCycle(const Model &model, const std::vector<VarId> &children,
                 const NetworkPlaces &places, Diagnostics &diagnostics) {
  CycleSearch search(model, children);
  const std::vector<VarId> cycle = search.run();
  if (!cycle.empty())
    diagnostics.report({Severity::Warning, places.factor(search.tableOf(cycle.front())),
                        fmt::format("the conditional tables form a cycle: {} <- {}: {}",
                                    namesOf(model, cycle, " <- "),
                                    excerpt(model.variable(cycle.front()).name), kConsequence),
                        "a table that is meant as a weight is a 'factor'"});
}

void warnOfMissing(const Model &model, const std::vector<VarId> &children,
                   const NetworkPlaces &places, Diagnostics &diagnostics) {
  std::vector<char> settled(model.variables.size(), 0);
  for (const VarId child : children)
    if (child.valid())
      settled[child.index()] = 1;
  for (const Finding &finding : model.evidence.findings)
    settled[finding.variable.index()] = 1;
  std::vector<VarId> missing;
  for (size_t i = 0; i < settled.size(); ++i)
    if (!settled[i])
      missing.push_back(VarId(i));
  if (!missing.empty())
    diagnostics.warning(places.variable(missing.front()),
                        "{} of {} variables, {}, {} no conditional table as the others have: {}",
                        missing.size(), settled.size(), namesOf(model, missing, ", "),
                        missing.size() == 1 ? "has" : "have", kConsequence);
}

} // namespace

void warnOfNetwork(const Model &model, const std::vector<VarId> &children,
                   const NetworkPlaces &places, Diagnostics &diagnostics) {
  MPF_CHECK(children.size() == model.factors.size(), "{} children of {} factors", children.size(),
            model.factors.size());
  bool any = false, all = true;
  for (size_t i = 0; i < children.size(); ++i) {
    any |= children[i].valid();
    all &= children[i].valid() || model.evidence.isLikelihood(FactorId(i));
  }
  if (!any)
    return;
  warnOfCycle(model, children, places, diagnostics);
  if (all)
    warnOfMissing(model, children, places, diagnostics);
}

} // namespace mpf
