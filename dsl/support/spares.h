// Objects whose memory is kept from call to call, for calls on any number of threads.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

namespace mpf {

/// Thread-safe. As many objects are kept as there were calls at once.
template <class T> class Spares {
public:
  /// Calls use(object) with an object that no other call has: a new one, or one as its last call
  /// left it.
  template <class Use> void with(const Use &use) {
    T object = take();
    use(object);
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(object));
  }

private:
  T take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty())
      return T();
    T object = std::move(spare_.back());
    spare_.pop_back();
    return object;
  }

  std::mutex mutex_;
  std::vector<T> spare_;
};

} // namespace mpf
