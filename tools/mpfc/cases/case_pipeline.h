// Reading, answering, formatting and writing of cases, at the same time, in the order of the list.
//
// A block of cases is a job, and a job goes through stages. Every thread is alike: it takes the
// most urgent step that any job can make, so that a job mostly stays with one thread, and with its
// core's cache, from end to end. What differs from list to list and from engine to engine is how
// many threads may be in a stage:
//
//   read     one; any number, each a block of its own, where rows have known places; nothing is
//            read of rows that a device takes as they are, unless it refuses some
//   send     any number, of engines that answer on a device: the threads read on meanwhile
//   answer   as many as the engine serves; of what was sent, the rest of the work
//   format   any number
//   take     one, job after job
#pragma once

#include "dsl/support/cases/case_source.h"
#include "runtime/execute/lanes/sent_block.h"
#include "runtime/result/case_answers.h"
#include "tools/mpfc/cases/block_sizes.h"
#include "tools/mpfc/cases/exact_sum.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mpf::driver {

/// What a block of cases adds to a sum of logarithms.
struct BlockTotal {
  ExactSum logarithms; ///< where they are finite
  uint64_t zeros = 0, negative = 0;
};

/// One block of cases on its way.
struct CaseJob {
  uint64_t number = 0; ///< from 0
  CaseBlock block;
  bool isRead = true; ///< else the block has a first case and a count alone, and rows in a file
  /// Of a block that was read at its place; and of any, that the list ends at a case of it that has
  /// no answer (refused_cases.h).
  BlockReport report;
  std::vector<CaseAnswers> answers; ///< by query
  BadRows refused; ///< of its cases that a query has no answer to (refused_cases.h)
  std::vector<std::unique_ptr<SentBlock>> sent; ///< by query, while devices answer; else empty
  std::string text;                             ///< the rows of the answers, as they are written
  std::vector<double> logarithms;               ///< that are being summed: of some cases
  std::vector<BlockTotal> totals;               ///< of --totals, by sum
  std::exception_ptr failure;                   ///< of the stages it has been through
};

struct CaseStages {
  /// Fills job.sent; false: the devices have no room until an earlier job is answered. Empty: jobs
  /// are answered where they are.
  std::function<bool(CaseJob &)> send;
  /// `send` takes jobs that were not read, and `answer` reads what has to be: rowsToSend.
  bool sendsRows = false;
  std::function<void(CaseJob &)> answer; ///< fills the answers, of what was sent or of the block
  std::function<void(CaseJob &)> format; ///< fills the text
  std::function<void(const CaseJob &)> take; ///< job after job
  BlockSizes blocks;
  unsigned threads = 1;       ///< the caller's is one
  unsigned answerThreads = 1; ///< that answer what was not sent
};

/// How many jobs are in memory: one for each thread, those that devices answer meanwhile, one ready
/// before each stage, and for each thread one that is answered and waits for those before it. Jobs
/// are taken in order: where a thread loses its core for as long as it takes for a job, the others
/// go on. (Modelled, 16 threads of which each loses 2 ms in one of 50 steps: with two of these
/// instead of 18 the threads are busy for three fourths of the time.)
size_t caseJobCount(unsigned threads);

/// Until the list has ended. Jobs may overtake each other, but for the last stage. A fixed number
/// of jobs is in memory, whatever the length of the list. When a stage fails, the jobs before its
/// job go through all stages; then the error is thrown. Where the system gives fewer threads than
/// asked for, these do it.
void runCasePipeline(CaseSource &source, const CaseStages &stages);

} // namespace mpf::driver
