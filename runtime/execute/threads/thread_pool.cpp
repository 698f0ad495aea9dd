#include "runtime/execute/threads/thread_pool.h"

#include "dsl/support/system/fork_count.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/execute/threads/pool_thread.h"
#include "runtime/execute/threads/short_wait.h"
#include "runtime/execute/threads/sleepers.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

namespace mpf {

/// The threads and their shared state.
struct ThreadPool::Workers {
  using Tasks = std::function<void(size_t, size_t)>;

  std::mutex mutex;
  std::condition_variable start, done;
  const Tasks *task = nullptr; ///< null: no more threads enter the round
  size_t count = 0;
  CallState *call = nullptr; ///< for which the tasks are (watched_call.h)
  std::atomic<size_t> next{0};
  std::atomic<size_t> busy{0};      ///< workers in the current round; changed under the mutex
  std::atomic<uint64_t> round{0};   ///< grows at each run() and at the end, under the mutex
  std::atomic<bool> isTaken{false}; ///< a caller uses the pool
  size_t sleeping = 0;
  bool stop = false;
  std::exception_ptr failure;
  std::vector<PoolThread> threads;

  void loop(size_t worker) {
    uint64_t seen = 0;
    while (true) {
      const Tasks *tasks = nullptr;
      CallState *watched = nullptr;
      size_t woken = 0;
      shortWait(kWaitForRun, [&] { return round.load(std::memory_order_acquire) != seen; });
      {
        std::unique_lock lock(mutex);
        ++sleeping;
        start.wait(lock, [&] { return round.load(std::memory_order_relaxed) != seen; });
        --sleeping;
        seen = round.load(std::memory_order_relaxed);
        if (stop)
          return;
        tasks = task;
        watched = call;
        if (tasks == nullptr)
          continue; // the round is over
        busy.fetch_add(1, std::memory_order_relaxed);
        woken = sleepersFor(remaining());
      }
      wake(woken);
      {
        const CallScope scope(watched);
        takeTasks(*tasks, worker);
      }
      const std::lock_guard lock(mutex);
      if (busy.fetch_sub(1, std::memory_order_release) == 1)
        done.notify_one();
    }
  }

  void takeTasks(const Tasks &tasks, size_t worker) {
    try {
      for (size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1))
        tasks(i, worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure)
        failure = std::current_exception();
      next.store(count);
    }
  }

  size_t remaining() const {
    const size_t taken = next.load(std::memory_order_relaxed);
    return count - std::min(taken, count);
  }
  /// Returns the number of sleeping threads to wake for `tasks` tasks. The mutex must be held.
  size_t sleepersFor(size_t tasks) const { return std::min({sleeping, tasks, kWokenByOne}); }
  /// Wakes threads. The mutex must not be held, because they would wait for it at once.
  void wake(size_t threadCount) {
    for (; threadCount > 0; --threadCount)
      start.notify_one();
  }

  /// Starts a new round, which all awake threads see.
  void begin(const Tasks &tasks, size_t tasksCount) {
    size_t woken = 0;
    {
      const std::lock_guard lock(mutex);
      task = &tasks;
      count = tasksCount;
      call = currentCall();
      next.store(0, std::memory_order_relaxed);
      failure = nullptr;
      round.fetch_add(1, std::memory_order_release);
      woken = sleepersFor(count - 1);
    }
    wake(woken);
  }

  /// Waits for the workers in the round and lets no others enter.
  void end() {
    shortWait(kWaitForTask, [&] { return busy.load(std::memory_order_acquire) == 0; });
    std::unique_lock lock(mutex);
    task = nullptr;
    done.wait(lock, [&] { return busy.load(std::memory_order_relaxed) == 0; });
  }
};

ThreadPool::ThreadPool(size_t threads)
    : workers_(std::make_unique<Workers>()), threadCount_(threads), forkCount_(mpf::forkCount()) {}

void ThreadPool::startThreads(size_t wanted) {
  std::vector<PoolThread> &threads = workers_->threads;
  if (threads.size() >= wanted)
    return;
  try {
    threads.reserve(threadCount_ - 1); // from here on only starting a thread can fail
    while (threads.size() < wanted)
      threads.emplace_back(
          [workers = workers_.get(), worker = threads.size() + 1] { workers->loop(worker); });
  } catch (const std::system_error &) {
    // The system gives no more threads. Results do not depend on their number.
    threadCount_ = threads.size() + 1;
  } catch (const std::bad_alloc &) { // no memory for more threads
    threadCount_ = threads.size() + 1;
  }
}

ThreadPool::~ThreadPool() {
  if (isInForkedChild()) { // joining, or destroying the condition variables, would hang
    [[maybe_unused]] const Workers *forgotten = workers_.release();
    return;
  }
  {
    const std::lock_guard lock(workers_->mutex);
    workers_->stop = true;
    workers_->round.fetch_add(1, std::memory_order_release);
  }
  workers_->start.notify_all();
  for (PoolThread &thread : workers_->threads)
    thread.join();
}

bool ThreadPool::isInForkedChild() const { return forkCount_ != mpf::forkCount(); }

void ThreadPool::run(size_t count, const std::function<void(size_t, size_t)> &task) {
  if (count == 0)
    return;
  if (isInForkedChild() || workers_->isTaken.exchange(true, std::memory_order_acquire)) {
    for (size_t i = 0; i < count; ++i)
      task(i, 0);
    return;
  }
  startThreads(std::min(count, threadCount_) - 1);
  Workers &w = *workers_;
  w.begin(task, count);
  w.takeTasks(task, 0);
  w.end();
  const std::exception_ptr failure = std::exchange(w.failure, nullptr);
  w.isTaken.store(false, std::memory_order_release);
  if (failure)
    std::rethrow_exception(failure);
}

} // namespace mpf
