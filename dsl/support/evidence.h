// EVIDENCE: what is known of variables before a query is answered, in one case or in many. One type
// from the model to the result: the model declares it, the planner and the bundle carry it, a
// session changes its states, a result says which states it was computed with.
//
// Hard evidence is a matrix of states, cases x findings. Likelihood (soft, virtual) evidence is a
// factor over its variable; from the table program on it is an input table like any other.
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

/// A variable of which the state is known, in all cases or in some.
struct Finding {
  VarId variable;
  /// The state was final when the query was compiled. Otherwise the finding is free: a session may
  /// change its state.
  bool fixed = false;
};

struct Evidence {
  /// Entry of `states` where a case does not know the variable's state.
  static constexpr uint32_t kNotObserved = UINT32_MAX;

  std::vector<Finding> findings; ///< ascending variables, each at most once
  std::vector<uint32_t> states;  ///< caseCount x findings, row-major
  uint64_t caseCount = 1;
  /// The cases come from a list, which may have one case or none: the result is a list as well.
  /// Otherwise there is one case, and it knows every state.
  bool listed = false;
  std::vector<FactorId> likelihoods; ///< ascending

  /// The states of one case, in the order of `findings`.
  std::span<const uint32_t> statesOf(uint64_t number) const;
  /// What one case knows, in ascending order of the variables.
  std::vector<Observation> observations(uint64_t number = 0) const;

  /// Null: nothing is known of the variable's state. Time: logarithmic in the findings.
  const Finding *find(VarId variable) const;
  bool observes(VarId variable) const { return find(variable) != nullptr; }
  /// None: the case does not know the variable's state.
  std::optional<uint32_t> state(VarId variable, uint64_t number = 0) const;
  bool isLikelihood(FactorId factor) const;

  /// Entries of `states` with so many findings more; saturates at UINT64_MAX.
  uint64_t entriesWith(size_t moreFindings) const;
  /// Adds findings that hold in every case. No variable has a finding yet, and none is given twice.
  void add(std::vector<Observation> observations);
  /// Changes the state of a finding in one case.
  void setState(VarId variable, uint32_t state, uint64_t number = 0);

private:
  size_t columnOf(VarId variable) const; ///< findings.size(): there is none
};

/// Listed cases whose states are in the order of `columns`, distinct variables: row-major, one row
/// per case.
Evidence listedEvidence(const std::vector<VarId> &columns, const std::vector<uint32_t> &states,
                        uint64_t caseCount);

/// A variable of any stage, as far as evidence needs it.
struct EvidenceVariable {
  std::string_view name;
  uint32_t extent = 0;
};

/// What is wrong with evidence on these variables; empty: nothing. Checks everything that the
/// fields of Evidence promise, except the likelihoods.
std::string findEvidenceFault(const Evidence &evidence,
                              std::span<const EvidenceVariable> variables);
template <class Variable>
std::string findEvidenceFault(const Evidence &evidence, const std::vector<Variable> &variables) {
  std::vector<EvidenceVariable> list;
  for (const Variable &variable : variables)
    list.push_back({variable.name, variable.extent});
  return findEvidenceFault(evidence, std::span<const EvidenceVariable>(list));
}

/// One state for each of `count` variables: what the case knows, 0 for all others.
std::vector<uint32_t> statesByVariable(const Evidence &evidence, size_t count, uint64_t number = 0);

} // namespace mpf
