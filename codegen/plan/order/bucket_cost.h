// Models what one bucket costs, from the sizes of its tables only: its operations, and what it adds
// to a run (program/run_costs.h). Operations guide the search for orders from step to step
// (order_anneal.h): every address counts, so wide buckets become narrower one by one. Which of the
// orders is taken, the predicted run says, to which buckets that are part of others add nothing:
// guided by it, the search finds longer runs.
//
// Operations are elementary ones. A bucket visits every address once and multiplies one entry of
// each operand. In large buckets, operands of at most a sixteenth of the bucket are multiplied with
// each other beforehand and count as one (pass_merge_operands.h). The message is written here and
// read in the next bucket; both count as one operation for each entry, so that one number covers
// memory traffic and arithmetic.
//
// In a run the entries of a message count in the bucket that reads it. So a bucket that is part of
// the operation before it adds nothing: its only message is never stored (pass_join_buckets.h).
#pragma once

#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/program/run_costs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace mpf {

/// Operands of at most this share of the bucket's addresses count as merged, if the bucket is
/// large.
inline constexpr double kMergedShare = 1.0 / 16;
/// Buckets of fewer addresses are not large: there another operation costs more than it saves.
inline constexpr uint64_t kMergeAddresses = uint64_t{1} << 14;
inline constexpr double kMergedBucketElems = kMergeAddresses;

/// Counts the operands of a bucket of so many addresses. A plain value.
struct BucketOperands {
  double bucketElems = 1;
  size_t tables = 0, messages = 0;
  double tableElems = 0, messageElems = 0; ///< entries of all
  size_t large = 0;                        ///< operands that count alone
  bool small = false;                      ///< there are operands that are merged

  void addTable(double elems) {
    ++tables;
    tableElems += elems;
    add(elems);
  }
  void addMessage(double elems) {
    ++messages;
    messageElems += elems;
    add(elems);
  }
  double factors() const { return static_cast<double>(large + (small ? 1 : 0)); }

private:
  void add(double elems) {
    if (elems > bucketElems * kMergedShare || bucketElems < kMergedBucketElems)
      ++large;
    else
      small = true;
  }
};

/// A message of more than `maxMessageElems` entries (the memory bound) is acceptable only if there
/// is no other way, so all that its bucket takes counts as often as the square of the factor by
/// which the message is too large.
inline double excessFactor(double messageElems, double maxMessageElems) {
  const double excess = messageElems / maxMessageElems;
  return excess > 1 ? excess * excess : 1;
}

/// The operations of a bucket that is within the bound.
inline double bucketOperations(const BucketOperands &operands, double messageElems) {
  return operands.bucketElems * operands.factors() + 2 * messageElems;
}

/// Whether the bucket is part of the operation that writes its only message.
inline bool isJoined(const BucketOperands &operands, const OrderProblem &problem) {
  return operands.tables == 0 && operands.messages == 1 && !problem.decodes;
}

/// One bucket is one operation, which reads its operands; what it writes counts in the next one.
/// For marginals each message that it reads is answered by another, which takes as much again, but
/// for the third and later ones (pass_contract_operands.h), and its variable gets a table of its
/// own. `levels` is what it adds to the longest chain up and, for marginals, down again.
inline RunWork bucketWork(const BucketOperands &operands, const OrderProblem &problem) {
  constexpr size_t kMostAnswers = 2;
  RunWork work;
  if (problem.goesDownward)
    work.operations = 1;
  if (isJoined(operands, problem))
    return work;
  const size_t answers = problem.goesDownward ? operands.messages : 0;
  const auto passes = static_cast<double>(1 + std::min(answers, kMostAnswers));
  const double writes = problem.goesDownward ? 2 : 1; // of a message, and of its answer
  work.operations += static_cast<double>(1 + answers);
  work.entries =
      passes * (operands.tableElems + operands.messageElems) + writes * operands.messageElems;
  work.terms = passes * operands.bucketElems;
  work.levels = problem.goesDownward ? 2 : 1;
  return work;
}

} // namespace mpf
