// A queue between the threads of a pipeline.
#pragma once

#include "dsl/support/check.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace mpf::driver {

/// First in, first out, but for pushFirst, in memory that is taken once: a thread that hands
/// something on cannot run out of it. Thread-safe.
template <class Item> class ClosableQueue {
public:
  /// For up to `capacity` items at a time.
  explicit ClosableQueue(size_t capacity) : items_(capacity) {}

  /// Drops the item when the queue is closed.
  void push(Item item) {
    put([&] { items_[(first_ + count_) % items_.size()] = std::move(item); });
  }
  /// The same, but it is the next that is popped: what was in use last is in a CPU's cache.
  void pushFirst(Item item) {
    put([&] {
      first_ = (first_ + items_.size() - 1) % items_.size();
      items_[first_] = std::move(item);
    });
  }
  /// Waits for an item; nothing: the queue is closed, and there are no more.
  std::optional<Item> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || count_ != 0; });
    if (count_ == 0)
      return std::nullopt;
    std::optional<Item> item(std::move(items_[first_]));
    first_ = (first_ + 1) % items_.size();
    --count_;
    return item;
  }
  /// Nothing will be pushed any more. What is in the queue can be taken.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }
  /// Closes it and drops what is in it.
  void abandon() {
    {
      const std::lock_guard lock(mutex_);
      count_ = 0;
    }
    close();
  }

private:
  template <class Place> void put(const Place &place) {
    {
      const std::lock_guard lock(mutex_);
      if (!closed_) {
        MPF_CHECK(count_ < items_.size(), "more than {} items in a queue", items_.size());
        place();
        ++count_;
      }
    }
    changed_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Item> items_; ///< a ring
  size_t first_ = 0, count_ = 0;
  bool closed_ = false;
};

} // namespace mpf::driver
