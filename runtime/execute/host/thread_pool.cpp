#include "runtime/execute/host/thread_pool.h"

#include "dsl/support/system/fork_count.h"
#include "runtime/execute/host/pool_thread.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <vector>

namespace mpf {

/// The threads and all that they share.
struct ThreadPool::Workers {
  std::mutex mutex;
  std::condition_variable start, done;
  const std::function<void(size_t, size_t)> *task = nullptr;
  size_t count = 0;
  std::atomic<size_t> next{0};
  size_t busy = 0;    ///< workers that have not finished the current round
  uint64_t round = 0; ///< grows by one with each run()
  bool stop = false;
  std::exception_ptr failure;
  std::vector<PoolThread> threads;

  void loop(size_t worker) {
    uint64_t seen = 0;
    while (true) {
      {
        std::unique_lock lock(mutex);
        start.wait(lock, [&] { return stop || round != seen; });
        if (stop)
          return;
        seen = round;
      }
      takeTasks(worker);
      const std::lock_guard lock(mutex);
      if (--busy == 0)
        done.notify_one();
    }
  }

  void takeTasks(size_t worker) {
    try {
      for (size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1))
        (*task)(i, worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure)
        failure = std::current_exception();
      next.store(count);
    }
  }
};

ThreadPool::ThreadPool(size_t threads)
    : workers_(std::make_unique<Workers>()), forkCount_(mpf::forkCount()) {
  workers_->threads.reserve(threads - 1); // nothing but a thread can fail while some are there
  try {
    for (size_t worker = 1; worker < threads; ++worker)
      workers_->threads.emplace_back([workers = workers_.get(), worker] { workers->loop(worker); });
  } catch (const std::system_error &) {
    // The machine gives no more threads: results are the same with those that there are.
  } catch (const std::bad_alloc &) { // nor memory for them
  }
  threadCount_ = workers_->threads.size() + 1;
}

ThreadPool::~ThreadPool() {
  if (isInForkedChild()) { // joining, or ending what the parent's threads wait for, would hang
    [[maybe_unused]] const Workers *forgotten = workers_.release();
    return;
  }
  {
    const std::lock_guard lock(workers_->mutex);
    workers_->stop = true;
  }
  workers_->start.notify_all();
  for (PoolThread &thread : workers_->threads)
    thread.join();
}

bool ThreadPool::isInForkedChild() const { return forkCount_ != mpf::forkCount(); }

void ThreadPool::run(size_t count, const std::function<void(size_t, size_t)> &task) {
  if (isInForkedChild()) {
    for (size_t i = 0; i < count; ++i)
      task(i, 0);
    return;
  }
  Workers &w = *workers_;
  {
    const std::lock_guard lock(w.mutex);
    w.task = &task;
    w.count = count;
    w.next.store(0, std::memory_order_relaxed);
    w.busy = w.threads.size();
    w.failure = nullptr;
    ++w.round;
  }
  w.start.notify_all();
  w.takeTasks(0);
  std::unique_lock lock(w.mutex);
  w.done.wait(lock, [&w] { return w.busy == 0; });
  w.task = nullptr;
  if (w.failure)
    std::rethrow_exception(w.failure);
}

} // namespace mpf
