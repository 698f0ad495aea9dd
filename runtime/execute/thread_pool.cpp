#include "runtime/execute/thread_pool.h"

#include <new>
#include <system_error>

namespace mpf {

ThreadPool::ThreadPool(size_t threads) {
  try {
    for (size_t worker = 1; worker < threads; ++worker)
      threads_.emplace_back([this, worker] { workerLoop(worker); });
  } catch (const std::system_error &) {
    // The machine gives no more threads: results are the same with those that there are.
  } catch (const std::bad_alloc &) { // nor memory for them
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (PoolThread &thread : threads_)
    thread.join();
}

void ThreadPool::run(size_t count, const std::function<void(size_t, size_t)> &task) {
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    count_ = count;
    next_.store(0, std::memory_order_relaxed);
    busy_ = threads_.size();
    failure_ = nullptr;
    ++round_;
  }
  start_.notify_all();
  takeTasks(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  task_ = nullptr;
  if (failure_)
    std::rethrow_exception(failure_);
}

void ThreadPool::workerLoop(size_t worker) {
  uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_)
        return;
      seen = round_;
    }
    takeTasks(worker);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0)
      done_.notify_one();
  }
}

void ThreadPool::takeTasks(size_t worker) {
  try {
    for (size_t i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1))
      (*task_)(i, worker);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_)
      failure_ = std::current_exception();
    next_.store(count_);
  }
}

} // namespace mpf
