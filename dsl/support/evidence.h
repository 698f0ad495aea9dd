// EVIDENCE: the observations for which a query is answered, in one case or in many. All stages use
// this type. The model declares evidence, the planner and the bundle pass it on, a session changes
// its states, and a result names the states that it was computed with.
//
// Hard evidence is a matrix of states, cases x findings. Likelihood (soft, virtual) evidence on a
// variable is a factor over this variable; in a table program it is an input table like any other.
#pragma once

#include "dsl/support/ids.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// A variable and the state it is in.
struct Observation {
  VarId variable;
  uint32_t state = 0;
};

/// A variable whose state is known in all cases or in some.
struct Finding {
  VarId variable;
  /// True: the state was final when the query was compiled. False: the finding is free, so a
  /// session may change its state.
  bool fixed = false;
};

struct Evidence {
  /// The entry of `states` for a variable that is not observed in the case.
  static constexpr uint32_t kNotObserved = UINT32_MAX;

  std::vector<Finding> findings; ///< ascending variables, each at most once
  std::vector<uint32_t> states;  ///< caseCount x findings, row-major
  uint64_t caseCount = 1;
  /// True: the cases come from a list, which may have one case or none, and the result is a list
  /// too. False: there is one case, and every finding has a state.
  bool listed = false;
  std::vector<FactorId> likelihoods; ///< the factors of soft evidence, ascending

  /// Returns the states of case `number`, in the order of `findings`.
  std::span<const uint32_t> statesOf(uint64_t number) const;
  /// Returns the observed variables of case `number` with their states, in ascending order.
  std::vector<Observation> observations(uint64_t number = 0) const;

  /// Returns the finding of a variable; null: no case observes it. Time: logarithmic in the
  /// findings.
  const Finding *find(VarId variable) const;
  bool observes(VarId variable) const { return find(variable) != nullptr; }
  /// Returns the state of a variable in case `number`; none: it is not observed there.
  std::optional<uint32_t> state(VarId variable, uint64_t number = 0) const;
  bool isLikelihood(FactorId factor) const;

  /// Returns the size that `states` would have with `moreFindings` more findings; saturates at
  /// UINT64_MAX.
  uint64_t entriesWith(size_t moreFindings) const;
  /// Adds free findings with the same state in every case. The variables must be distinct and have
  /// no finding yet.
  void add(std::vector<Observation> observations);
  /// Changes the state of an existing finding in case `number`.
  void setState(VarId variable, uint32_t state, uint64_t number = 0);

private:
  size_t columnOf(VarId variable) const; ///< index in `findings`; their number if there is none
};

/// Returns the evidence of listed cases. `states` is row-major with one row for each case; its
/// columns belong to the variables `columns`, which are distinct and in any order.
Evidence listedEvidence(const std::vector<VarId> &columns, const std::vector<uint32_t> &states,
                        uint64_t caseCount);

/// The facts about a variable that findEvidenceFault needs. Each stage has a separate type for
/// variables.
struct EvidenceVariable {
  std::string_view name;
  uint32_t extent = 0;
};

/// Returns the first invariant of Evidence that does not hold, as a sentence; empty: all hold. Does
/// not check the likelihoods.
std::string findEvidenceFault(const Evidence &evidence,
                              std::span<const EvidenceVariable> variables);
template <class Variable>
std::string findEvidenceFault(const Evidence &evidence, const std::vector<Variable> &variables) {
  std::vector<EvidenceVariable> list;
  for (const Variable &variable : variables)
    list.push_back({variable.name, variable.extent});
  return findEvidenceFault(evidence, std::span<const EvidenceVariable>(list));
}

/// Returns a state for each of `count` variables: the one that case `number` observes, or 0.
std::vector<uint32_t> statesByVariable(const Evidence &evidence, size_t count, uint64_t number = 0);

} // namespace mpf
