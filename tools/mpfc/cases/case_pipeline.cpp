#include "tools/mpfc/cases/case_pipeline.h"

#include "dsl/support/error.h"
#include "tools/mpfc/cases/closable_queue.h"

#include <exception>
#include <system_error>
#include <thread>

namespace mpf::driver {

namespace {

class CasePipeline {
public:
  CasePipeline(CaseSource &source, const CaseStages &stages)
      : source_(source), stages_(stages), jobs_(caseJobCount(stages.formatThreads)),
        free_(jobs_.size()), read_(jobs_.size()), answered_(jobs_.size()) {
    threads_.reserve(1 + size_t{stages.formatThreads});
    for (CaseJob &job : jobs_) {
      job.block = CaseBlock(source.schema(), stages.blockCases);
      free_.push(&job);
    }
  }
  ~CasePipeline() {
    abandon();
    join();
  }

  void run() {
    start([this] { read(); });
    for (unsigned i = 0; i < stages_.formatThreads; ++i)
      start([this] { write(); });
    answer();
    join();
    for (const std::exception_ptr &failure : {writeFailure_, answerFailure_, readFailure_})
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

  void join() {
    for (std::thread &thread : threads_)
      thread.join();
    threads_.clear();
  }

  /// Stops reading and answering.
  void stopInput() {
    free_.abandon();
    read_.abandon();
    source_.cancel();
  }
  void abandon() {
    stopInput();
    answered_.abandon();
  }

  void read() {
    try {
      for (uint64_t number = 0;; ++number) {
        const std::optional<CaseJob *> job = free_.pop();
        if (!job || !source_.next((*job)->block))
          break;
        (*job)->number = number;
        read_.push(*job);
      }
    } catch (...) {
      readFailure_ = std::current_exception();
    }
    read_.close();
  }

  void answer() {
    try {
      while (const std::optional<CaseJob *> job = read_.pop()) {
        stages_.answer(**job);
        answered_.push(*job);
      }
    } catch (...) {
      answerFailure_ = std::current_exception();
      stopInput();
    }
    answered_.close();
  }

  void write() {
    while (const std::optional<CaseJob *> popped = answered_.pop()) {
      CaseJob &job = **popped;
      std::exception_ptr failure;
      try {
        stages_.format(job);
      } catch (...) {
        failure = std::current_exception();
      }
      {
        std::unique_lock lock(turn_);
        turnChanged_.wait(lock, [&] { return nextToTake_ == job.number; });
      }
      // Until the turn is passed on, no other thread is here.
      if (!writeFailure_ && !failure) {
        try {
          stages_.take(job);
        } catch (...) {
          failure = std::current_exception();
        }
      }
      if (!writeFailure_ && failure) {
        writeFailure_ = failure;
        abandon();
      }
      {
        const std::lock_guard lock(turn_);
        ++nextToTake_;
      }
      turnChanged_.notify_all();
      free_.push(&job);
    }
  }

  CaseSource &source_;
  const CaseStages &stages_;
  std::vector<CaseJob> jobs_;
  ClosableQueue<CaseJob *> free_, read_, answered_;
  std::mutex turn_;
  std::condition_variable turnChanged_;
  uint64_t nextToTake_ = 0;
  std::exception_ptr readFailure_, answerFailure_, writeFailure_;
  std::vector<std::thread> threads_;
};

} // namespace

size_t caseJobCount(unsigned formatThreads) { return 4 + 2 * size_t{formatThreads}; }

void runCasePipeline(CaseSource &source, const CaseStages &stages) {
  CasePipeline(source, stages).run();
}

} // namespace mpf::driver
