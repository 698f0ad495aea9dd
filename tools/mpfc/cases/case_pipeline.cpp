#include "tools/mpfc/cases/case_pipeline.h"

#include "dsl/support/check.h"
#include "dsl/support/system/thread_group.h"
#include "tools/mpfc/cases/job_queue.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace mpf::driver {

namespace {

/// Returns how many jobs devices have before a thread waits for the oldest. A copy and a kernel
/// take a tenth of the time that a thread takes to read and to format a job.
size_t sentJobCount(unsigned threads) { return threads / 4 + 2; }

class CasePipeline {
public:
  CasePipeline(CaseSource &source, const CaseStages &stages)
      : source_(source), stages_(stages), hasPlaces_(source.hasPlaces()),
        jobs_(caseJobCount(stages.threads)), free_(jobs_.size()), read_(jobs_.size()),
        sent_(jobs_.size()), answered_(jobs_.size()), ready_(jobs_.size()) {
    MPF_CHECK(stages.threads >= 1 && stages.answerThreads >= 1, "{} threads, {} that answer",
              stages.threads, stages.answerThreads);
    for (CaseJob &job : jobs_)
      free_.push(job);
  }

  void run() {
    threads_.start(stages_.threads - 1, [this] { work(); });
    work();
    threads_.join();
    if (failure_)
      std::rethrow_exception(failure_);
  }

private:
  enum class Step { None, Take, Send, Answer, Format, Finish, Read };

  /// Returns the most urgent step. The order keeps devices and engines busy, and finishes jobs
  /// while they are in a cache.
  Step nextStep() const {
    if (!isTaking_ && ready_[nextToTake_ % ready_.size()] != nullptr)
      return Step::Take;
    if (!read_.empty()) {
      if (stages_.send && !isFull_)
        return Step::Send;
      if (answering_ < stages_.answerThreads && onDevice_ == 0)
        return Step::Answer;
    }
    if (!answered_.empty())
      return Step::Format;
    const bool isRoomWanted = isFull_ && !read_.empty() && !sent_.empty();
    if (isRoomWanted || sent_.size() > sentJobCount(stages_.threads))
      return Step::Finish;
    if (!isEnd_ && !free_.empty() && (hasPlaces_ || !isReading_))
      return Step::Read;
    return sent_.empty() ? Step::None : Step::Finish;
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      const Step step = nextStep();
      if (step != Step::None) {
        make(step, lock);
      } else if (isEnd_ && !isReading_ && free_.size() == jobs_.size()) {
        changed_.notify_all();
        return;
      } else {
        ++waiting_;
        changed_.wait(lock);
        --waiting_;
      }
    }
  }

  void make(Step step, std::unique_lock<std::mutex> &lock) {
    switch (step) {
    case Step::None:
      return;
    case Step::Take:
      return take(lock);
    case Step::Send:
      return send(lock);
    case Step::Answer:
      return answer(lock);
    case Step::Format:
      return format(lock);
    case Step::Finish:
      return finish(lock);
    case Step::Read:
      return read(lock);
    }
  }

  /// Calls work() without the lock. Wakes another thread for the steps that are left in the queues.
  template <class Work> void unlocked(std::unique_lock<std::mutex> &lock, const Work &work) {
    const bool isMore = waiting_ != 0 && nextStep() != Step::None;
    lock.unlock();
    if (isMore)
      changed_.notify_one();
    work();
    lock.lock();
  }

  /// Calls the stage unless an earlier stage of the job has failed or the block is empty. A failure
  /// stops the reading of more jobs: the jobs before this one have been read, or are being read.
  template <class Stage>
  void attempt(std::unique_lock<std::mutex> &lock, CaseJob &job, const Stage &stage) {
    if (job.failure || job.block.count == 0)
      return;
    unlocked(lock, [&] {
      try {
        stage(job);
      } catch (...) {
        job.failure = std::current_exception();
      }
    });
    if (job.failure || job.report.end)
      stopInput();
  }

  /// Stops reading. Jobs that were read before may be on their way.
  void stopInput() {
    isEnd_ = true;
    source_.cancel();
  }

  void read(std::unique_lock<std::mutex> &lock) {
    CaseJob &job = free_.pop();
    job.failure = nullptr;
    job.report = {};
    job.refused = {};
    job.number = nextToRead_++;
    isReading_ = !hasPlaces_;
    bool isThere = false;
    unlocked(lock, [&] {
      try {
        isThere = fill(job);
      } catch (...) {
        job.failure = std::current_exception();
        job.block.count = 0;
      }
    });
    if (!hasPlaces_)
      isReading_ = false;
    if (job.failure || job.report.end)
      stopInput();
    if (isThere || job.failure || job.report.end)
      return read_.push(job);
    isEnd_ = true;
    if (hasPlaces_)
      return read_.push(job); // later jobs may have been read already
    free_.pushFirst(job);
  }

  /// Reads the next block into the job; false: the list has ended. The block gets its memory here,
  /// so jobs that are never needed take none.
  bool fill(CaseJob &job) {
    const uint32_t cases = stages_.blocks.casesOf(job.number);
    if (job.block.pitch() != cases)
      job.block = CaseBlock(source_.schema(), cases);
    if (!hasPlaces_)
      return source_.next(job.block);
    job.isRead = !stages_.sendsRows;
    if (!job.isRead)
      return place(job);
    source_.readAt(stages_.blocks.firstCaseOf(job.number), job.block, job.report);
    return job.block.count != 0;
  }

  /// Sets the cases of a block that is not read. False: the list ends before it.
  bool place(CaseJob &job) const {
    const uint64_t cases = source_.caseCount().value_or(0);
    job.block.startAt(std::min(stages_.blocks.firstCaseOf(job.number), cases));
    job.block.count =
        static_cast<uint32_t>(std::min<uint64_t>(job.block.pitch(), cases - job.block.first));
    return job.block.count != 0;
  }

  void send(std::unique_lock<std::mutex> &lock) {
    CaseJob &job = read_.pop();
    bool isSent = false;
    attempt(lock, job, [&](CaseJob &it) { isSent = stages_.send(it); });
    if (job.failure || job.block.count == 0)
      return answered_.push(job);
    if (isSent) {
      ++onDevice_;
      return sent_.push(job);
    }
    read_.pushFirst(job);
    isFull_ = true;
  }

  void answer(std::unique_lock<std::mutex> &lock) {
    CaseJob &job = read_.pop();
    ++answering_;
    attempt(lock, job, stages_.answer);
    --answering_;
    isFull_ = false; // the device may have room now
    answered_.push(job);
  }

  void finish(std::unique_lock<std::mutex> &lock) {
    CaseJob &job = sent_.pop();
    attempt(lock, job, stages_.answer);
    if (!job.sent.empty())
      unlocked(lock, [&job] { job.sent.clear(); }); // after a failure it may wait for a device
    --onDevice_;
    isFull_ = false;
    answered_.push(job);
  }

  void format(std::unique_lock<std::mutex> &lock) {
    CaseJob &job = answered_.pop();
    attempt(lock, job, stages_.format);
    ready_[job.number % ready_.size()] = &job; // those from the next one on are others
  }

  void take(std::unique_lock<std::mutex> &lock) {
    CaseJob &job = *std::exchange(ready_[nextToTake_ % ready_.size()], nullptr);
    ++nextToTake_;
    isTaking_ = true;
    if (!failure_) {
      try { // there may be no memory for the messages
        source_.addSkipped(job.report.skipped);
      } catch (...) {
        job.failure = std::current_exception();
        stopInput();
      }
      attempt(lock, job, stages_.take);
      failure_ = job.failure ? job.failure : job.report.end;
    }
    isTaking_ = false;
    free_.pushFirst(job); // the job that was used last is in a cache
  }

  CaseSource &source_;
  const CaseStages &stages_;
  const bool hasPlaces_;
  std::vector<CaseJob> jobs_;

  std::mutex mutex_; ///< guards the members below; a job belongs to the thread that has popped it
  std::condition_variable changed_;
  unsigned waiting_ = 0;                   ///< threads without a step
  JobQueue free_, read_, sent_, answered_; ///< sent: without those that are being finished
  std::vector<CaseJob *> ready_;           ///< formatted, by number; null: not yet
  uint64_t nextToRead_ = 0, nextToTake_ = 0;
  unsigned answering_ = 0; ///< threads that answer jobs that were not sent
  size_t onDevice_ = 0;    ///< jobs that were sent and are not finished
  bool isFull_ = false;    ///< the devices have no room, as far as is known
  bool isReading_ = false; ///< a thread reads a list that only one thread may read
  bool isEnd_ = false;     ///< nothing more is read
  bool isTaking_ = false;
  std::exception_ptr failure_; ///< the error of the first job that failed
  ThreadGroup threads_;        ///< beside the caller's
};

} // namespace

size_t caseJobCount(unsigned threads) { return 2 + 2 * size_t{threads} + sentJobCount(threads); }

void runCasePipeline(CaseSource &source, const CaseStages &stages) {
  CasePipeline(source, stages).run();
}

} // namespace mpf::driver
