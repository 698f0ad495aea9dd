// Reads, answers, formats and writes cases at the same time, in the order of the list.
//
// A block of cases is a job, and a job goes through stages. Every thread takes the most urgent step
// that any job can make. So a job mostly stays with one thread, and in its core's cache, from end
// to end. The number of threads that may be in a stage depends on the list and on the engine:
//
//   read     one; any number, each with a separate block, if rows have known places. Rows that a
//            device takes as bytes are not read, unless it refuses some
//   send     any number, for engines that answer on a device: the threads read on meanwhile
//   answer   as many as the engine serves; for sent jobs it does the rest of the work
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

/// The terms that a block of cases adds to a sum of logarithms.
struct BlockTotal {
  ExactSum logarithms; ///< sum of the finite ones
  uint64_t zeros = 0, negative = 0;
};

/// One block of cases on its way.
struct CaseJob {
  uint64_t number = 0; ///< from 0
  CaseBlock block;
  /// False: the block has only a first case and a count; its rows are in a file.
  bool isRead = true;
  /// Bad rows of a block that was read at its place. For any block: the reason that the list ends
  /// at a case without an answer (refused_cases.h).
  BlockReport report;
  std::vector<CaseAnswers> answers; ///< by query
  BadRows refused;                  ///< cases that a query has no answer to (refused_cases.h)
  std::vector<std::unique_ptr<SentBlock>> sent; ///< by query, while devices answer; else empty
  std::string text;                             ///< the rows of the answers, as they are written
  std::vector<double> logarithms;               ///< logarithms of some cases, while they are summed
  std::vector<BlockTotal> totals;               ///< --totals: one for each sum
  std::exception_ptr failure;                   ///< the error of an earlier stage
};

struct CaseStages {
  /// Fills job.sent. Returns false if the devices have no room until an earlier job is answered.
  /// Empty: the threads of the pipeline answer jobs.
  std::function<bool(CaseJob &)> send;
  /// `send` takes jobs that were not read, and `answer` reads what has to be: rowsToSend.
  bool sendsRows = false;
  std::function<void(CaseJob &)> answer;     ///< fills the answers, of a sent job or of the block
  std::function<void(CaseJob &)> format;     ///< fills the text
  std::function<void(const CaseJob &)> take; ///< called for job after job
  BlockSizes blocks;
  unsigned threads = 1;       ///< number of threads, the caller's included
  unsigned answerThreads = 1; ///< how many threads at a time may answer jobs that were not sent
};

/// Returns the number of jobs in memory: one for each thread, those that devices answer meanwhile,
/// and one ready before each stage. There is one more for each thread: an answered job that waits
/// for those before it, because jobs are taken in order. With it, the other threads go on while one
/// thread has lost its core for the time of a job. (In a model of 16 threads, each loses 2 ms in
/// one of 50 steps. With 2 waiting jobs instead of 18 the threads are busy for three fourths of the
/// time.)
size_t caseJobCount(unsigned threads);

/// Runs all stages until the list has ended. Jobs may overtake each other, except in the last
/// stage. A fixed number of jobs is in memory, whatever the length of the list. If a stage fails,
/// the jobs before its job go through all stages; then the error is thrown. If the system gives
/// fewer threads than asked for, these do all the work.
void runCasePipeline(CaseSource &source, const CaseStages &stages);

} // namespace mpf::driver
