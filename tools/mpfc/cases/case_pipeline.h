// Reading, answering, formatting and writing of cases, at the same time, in the order of the list.
#pragma once

#include "dsl/support/cases/case_source.h"
#include "runtime/result/case_answers.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace mpf::driver {

/// What a block of cases adds to a sum of logarithms.
struct TermsOfTotal {
  std::vector<double> logarithms; ///< where they are finite, in the order of the cases
  uint64_t zeros = 0, negative = 0;
};

/// One block of cases on its way.
struct CaseJob {
  uint64_t number = 0; ///< from 0
  CaseBlock block;
  std::vector<CaseAnswers> answers; ///< by query
  std::string text;                 ///< the rows of the answers, as they are written
  std::vector<TermsOfTotal> terms;  ///< of --totals, by sum
  std::exception_ptr failure;       ///< of the stages it has been through
};

struct CaseStages {
  std::function<void(CaseJob &)> answer;     ///< fills the answers; on several threads
  std::function<void(CaseJob &)> format;     ///< fills the text; on several threads
  std::function<void(const CaseJob &)> take; ///< job after job, on one thread at a time
  uint32_t blockCases = 1;
  unsigned answerThreads = 1; ///< the caller's is one; at most as many as of the next stage
  unsigned formatThreads = 1;
};

/// How many jobs are in memory, whatever the number of threads that answer: one for each thread,
/// and one ready before each stage.
size_t caseJobCount(unsigned formatThreads);

/// Until the list has ended. Jobs may overtake each other, but for the last stage. A fixed number
/// of jobs is in memory, whatever the length of the list. When a stage fails, the jobs before its
/// job go through all stages; then the error is thrown. Throws Error(MemoryBound) when the system
/// gives no threads.
void runCasePipeline(CaseSource &source, const CaseStages &stages);

} // namespace mpf::driver
