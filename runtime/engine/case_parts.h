// The result of a run over a case variable -> the answers to its cases.
#pragma once

#include "dsl/model/model.h"
#include "runtime/result/case_answers.h"
#include "runtime/result/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// Takes a result apart, whose query case_axis.h made of one with this layout. `model` is the one
/// without the case variable: its evidence, which all cases have in common, gives the states of the
/// variables that a query of many tables has no posterior for. Immutable.
class CaseParts {
public:
  /// `axis`: name of the case variable; `runCases`: its states.
  CaseParts(const Model &model, const CaseAnswers &layout, std::string axis, uint32_t runCases);

  /// Case i of `result` becomes the one at places[i] of `answers`, which have room for it.
  void take(const Result &result, std::span<const uint32_t> places, CaseAnswers &answers) const;

  /// Of each of the first `count` cases, the binary exponent of its greatest entry in the first
  /// table of the run, which is not normalised; INT64_MIN: all are 0.
  std::vector<int64_t> magnitudes(const Result &result, size_t count) const;

private:
  bool isOfEachCase(const ResultTable &table) const;
  void takePosteriors(const Result &result, std::span<const uint32_t> places,
                      CaseAnswers &answers) const;
  void takeStates(const Result &result, std::span<const uint32_t> places,
                  CaseAnswers &answers) const;

  const std::string axis_;
  const uint32_t runCases_;
  std::vector<size_t> entries_;    ///< places of the entries of the first table: in order
  std::vector<uint32_t> observed_; ///< by table of the layout: the state that all cases observe
};

} // namespace mpf
