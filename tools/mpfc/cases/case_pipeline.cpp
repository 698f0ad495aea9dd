#include "tools/mpfc/cases/case_pipeline.h"

#include "dsl/support/error.h"
#include "tools/mpfc/cases/closable_queue.h"

#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

namespace mpf::driver {

namespace {

class CasePipeline {
public:
  CasePipeline(CaseSource &source, const CaseStages &stages)
      : source_(source), stages_(stages), jobs_(caseJobCount(stages.formatThreads)),
        free_(jobs_.size()), read_(jobs_.size()), answered_(jobs_.size()), ready_(jobs_.size()) {
    MPF_CHECK(stages.answerThreads >= 1 && stages.answerThreads <= stages.formatThreads,
              "{} threads that answer, {} that format", stages.answerThreads, stages.formatThreads);
    threads_.reserve(size_t{stages.answerThreads} + stages.formatThreads);
    for (CaseJob &job : jobs_)
      free_.push(&job);
  }
  ~CasePipeline() {
    stopInput();
    answered_.abandon();
    join();
  }

  void run() {
    start([this] { read(); });
    for (unsigned i = 0; i < stages_.formatThreads; ++i)
      start([this] { write(); });
    startAnswering();
    answer();
    join();
    for (const std::exception_ptr &failure : {failure_, readFailure_})
      if (failure)
        std::rethrow_exception(failure);
  }

private:
  template <class Work> void start(Work work) {
    try {
      threads_.emplace_back(work);
    } catch (const std::system_error &problem) {
      fail(ErrorKind::MemoryBound, "the system refused a thread for cases: {}", problem.what());
    }
  }

  /// Beside the caller. Where the system gives no more threads, it is fewer.
  void startAnswering() {
    try {
      for (unsigned i = 1; i < stages_.answerThreads; ++i) {
        ++answering_;
        threads_.emplace_back([this] { answer(); });
      }
    } catch (const std::system_error &) {
      --answering_;
    }
  }

  void join() {
    for (std::thread &thread : threads_)
      thread.join();
    threads_.clear();
  }

  /// Stops reading. What was read before may be on its way.
  void stopInput() {
    free_.abandon();
    read_.abandon();
    source_.cancel();
  }
  /// Behind a failure no stage has to do anything: jobs before it have been read already.
  template <class Stage> void attempt(CaseJob &job, const Stage &stage) {
    if (job.failure)
      return;
    try {
      stage(job);
    } catch (...) {
      job.failure = std::current_exception();
      stopInput();
    }
  }

  void read() {
    try {
      for (uint64_t number = 0;; ++number) {
        const std::optional<CaseJob *> job = free_.pop();
        if (!job || !fill(**job))
          break;
        (*job)->number = number;
        read_.push(*job);
      }
    } catch (...) {
      readFailure_ = std::current_exception();
    }
    read_.close();
  }

  /// Jobs that are never needed take no memory.
  bool fill(CaseJob &job) {
    if (job.block.pitch() == 0)
      job.block = CaseBlock(source_.schema(), stages_.blockCases);
    return source_.next(job.block);
  }

  void answer() {
    while (const std::optional<CaseJob *> job = read_.pop()) {
      attempt(**job, stages_.answer);
      answered_.push(*job);
    }
    if (--answering_ == 0)
      answered_.close();
  }

  void write() {
    while (const std::optional<CaseJob *> job = answered_.pop()) {
      attempt(**job, stages_.format);
      takeInOrder(**job);
    }
  }

  /// Takes the jobs whose turn it is; where another thread is at it, that one takes this job too.
  void takeInOrder(CaseJob &formatted) {
    std::unique_lock lock(turn_);
    ready(formatted.number) = &formatted;
    if (isTaking_)
      return;
    isTaking_ = true;
    while (CaseJob *const job = std::exchange(ready(nextToTake_), nullptr)) {
      ++nextToTake_;
      lock.unlock();
      if (!failure_)
        attempt(*job, stages_.take);
      if (!failure_)
        failure_ = job->failure;
      free_.pushFirst(job);
      lock.lock();
    }
    isTaking_ = false;
  }
  /// Every job from the one whose turn it is to the last that was read is another one.
  CaseJob *&ready(uint64_t number) { return ready_[number % ready_.size()]; }

  CaseSource &source_;
  const CaseStages &stages_;
  std::vector<CaseJob> jobs_;
  ClosableQueue<CaseJob *> free_, read_, answered_;
  std::mutex turn_;
  std::vector<CaseJob *> ready_; ///< formatted, by number; null: not yet
  uint64_t nextToTake_ = 0;
  bool isTaking_ = false;
  std::atomic<unsigned> answering_{1}; ///< threads that may hand on answers
  std::exception_ptr readFailure_;
  std::exception_ptr failure_; ///< of the first job that failed; of the thread that takes
  std::vector<std::thread> threads_;
};

} // namespace

size_t caseJobCount(unsigned formatThreads) { return 4 + 2 * size_t{formatThreads}; }

void runCasePipeline(CaseSource &source, const CaseStages &stages) {
  CasePipeline(source, stages).run();
}

} // namespace mpf::driver
