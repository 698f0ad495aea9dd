// A queue between the threads of a pipeline.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace mpf::driver {

/// First in, first out. Thread-safe.
template <class Item> class ClosableQueue {
public:
  /// Drops the item when the queue is closed.
  void push(Item item) {
    {
      const std::lock_guard lock(mutex_);
      if (!closed_)
        items_.push_back(std::move(item));
    }
    changed_.notify_one();
  }
  /// Waits for an item; nothing: the queue is closed, and there are no more.
  std::optional<Item> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty())
      return std::nullopt;
    std::optional<Item> item(std::move(items_.front()));
    items_.pop_front();
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
      items_.clear();
    }
    close();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  bool closed_ = false;
};

} // namespace mpf::driver
