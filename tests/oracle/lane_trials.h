// Random models with random lists of cases for the query that each has, and what the definition
// says of every case. Whatever answers blocks of cases is held against it: lanes_test.cpp on the
// CPU, gpu/gpu_lanes_test.cpp on a GPU.
#pragma once

#include "codegen/lanes/build_lane_program.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/result/case_answers.h"
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/oracle/models/random_models.h"

#include <cstdint>
#include <random>
#include <vector>

namespace mpf::oracle {

struct LaneTrialOptions {
  RandomModelOptions model;
  int leastExponent = 0;  ///< entries are multiplied by powers of two down to 2^leastExponent
  int weightExponent = 0; ///< half of the weights up to, or down to, 2^weightExponent; 0: as drawn
  bool givesTables = false; ///< cases give the entries of some factors
  bool bindsTables = false; ///< some factors get their values after planning
  bool setsParams = false;  ///< cases set params, from which some tables follow
};

struct LaneTrial {
  Model model; ///< with all values
  Query query;
  CaseSchema schema;
  CaseBlock block;
  bool simplifies = false;     ///< tables and evidence of the model are final
  std::vector<FactorId> bound; ///< get their values after planning
};

/// The trial of that number: kinds of queries in turn, every other one with evidence of the model.
/// Changes `random` alike on every machine.
LaneTrial randomTrial(std::mt19937_64 &random, int number, const LaneTrialOptions &options);

/// The model as it is planned: without the values of `bound`, or, where tables are not final, some
/// of them with values that do not last.
Model modelToPlan(const LaneTrial &trial);

/// As a session plans it. Throws Error(Unsupported).
LanePlan planTrial(const LaneTrial &trial, ElementType type);

/// The model of one case, with its evidence; its likelihoods are factors more, which `query` takes
/// too.
Model modelOfCase(const Model &model, Query &query, const CaseSchema &schema,
                  const CaseBlock &block, uint32_t number);

/// Compares answers with the definition, by brute force, and counts what it saw. Failures are those
/// of GoogleTest, fatal ones.
class LaneJudge {
public:
  /// Relative to each entry. Shares of posteriors up to `leastShare` may be 0.
  explicit LaneJudge(double tolerance, long double leastShare = 1e-300L)
      : tolerance_(tolerance), leastShare_(leastShare) {}

  /// All cases of the block.
  void compare(const Model &model, const Query &query, const CaseSchema &schema,
               const CaseBlock &block, const CaseAnswers &answers);

  size_t compared() const { return compared_; }     ///< cases
  size_t observed() const { return observed_; }     ///< posteriors of what the case observes
  size_t impossible() const { return impossible_; } ///< cases whose evidence has probability 0

private:
  void compareCase(const Model &model, const Query &query, const CaseAnswers &answers, uint32_t i);
  void compareObserved(const Model &model, const CaseTable &table, bool isImpossible, uint32_t i);
  void compareBest(const Model &model, const Query &query, const BruteAnswer &expected,
                   const CaseAnswers &answers, uint32_t i);

  const double tolerance_;
  const long double leastShare_;
  size_t compared_ = 0, observed_ = 0, impossible_ = 0;
};

/// An entry of the answer to case `i`.
long double numberAt(const CaseTable &table, uint32_t i, size_t entry = 0);

} // namespace mpf::oracle
