// Turns the result of a run over a case variable into the answers to its cases.
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

/// Takes apart the result of a query that case_axis.h made of a query with this layout. `model` is
/// the one without the case variable. Its evidence holds for all cases and gives the states of
/// variables for which a query of many tables has no posterior. Immutable.
class CaseParts {
public:
  /// `axis`: name of the case variable; `runCases`: its states.
  CaseParts(const Model &model, const CaseAnswers &layout, std::string axis, uint32_t runCases);

  /// Writes case i of `result` to places[i] of `answers`, which have room for it.
  void take(const Result &result, std::span<const uint32_t> places, CaseAnswers &answers) const;

  /// Returns, for each of the first `count` cases, the binary exponent of the greatest entry in the
  /// run's first table, which is not normalised. INT64_MIN means that all entries are 0.
  std::vector<int64_t> magnitudes(const Result &result, size_t count) const;

private:
  bool isOfEachCase(const ResultTable &table) const;
  void takePosteriors(const Result &result, std::span<const uint32_t> places,
                      CaseAnswers &answers) const;
  void takeStates(const Result &result, std::span<const uint32_t> places,
                  CaseAnswers &answers) const;

  const std::string axis_;
  const uint32_t runCases_;
  std::vector<size_t> entries_;    ///< places of the entries of the first table, in order
  std::vector<uint32_t> observed_; ///< by table of the layout: the state in all cases, or 0
};

} // namespace mpf
