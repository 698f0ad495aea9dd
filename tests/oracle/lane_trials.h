// Draws random models with random lists of cases for the query that each has, and computes every
// case by the definition. All engines that answer blocks of cases are compared with it:
// lanes_test.cpp on the CPU, gpu/gpu_lanes_test.cpp on a GPU.
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
  int leastExponent = 0;    ///< entries are multiplied by powers of two down to 2^leastExponent
  int weightExponent = 0;   ///< half of the weights go up or down to 2^weightExponent; 0: as drawn
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
  std::vector<FactorId> bound; ///< factors that get their values after planning
};

/// Returns the trial of that number: kinds of queries in turn, every other one with evidence of the
/// model. Changes `random` alike on every machine.
LaneTrial randomTrial(std::mt19937_64 &random, int number, const LaneTrialOptions &options);

/// Returns the model as it is planned: without the values of `bound`. If tables are not final, some
/// of them have values that are replaced later.
Model modelToPlan(const LaneTrial &trial);

/// Plans as a session does. Throws Error(Unsupported).
LanePlan planTrial(const LaneTrial &trial, ElementType type);

/// Returns the model of one case, with its evidence. Its likelihoods are additional factors, which
/// are added to `query` too.
Model modelOfCase(const Model &model, Query &query, const CaseSchema &schema,
                  const CaseBlock &block, uint32_t number);

/// Compares answers with the definition, by brute force, and counts them. Failures are fatal
/// failures of GoogleTest.
class LaneJudge {
public:
  /// `tolerance`: relative to each entry. Shares of posteriors up to `leastShare` may be 0.
  explicit LaneJudge(double tolerance, long double leastShare = 1e-300L)
      : tolerance_(tolerance), leastShare_(leastShare) {}

  /// Compares all cases of the block.
  void compare(const Model &model, const Query &query, const CaseSchema &schema,
               const CaseBlock &block, const CaseAnswers &answers);

  size_t compared() const { return compared_; } ///< number of cases
  size_t observed() const { return observed_; } ///< posteriors of variables that the case observes
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

/// Returns an entry of the answer to case `i`.
long double numberAt(const CaseTable &table, uint32_t i, size_t entry = 0);

} // namespace mpf::oracle
