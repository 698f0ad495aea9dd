// A lock of an object that several threads call, also behind a fork.
#pragma once

#include "dsl/support/check.h"
#include "dsl/support/system/fork_count.h"

#include <atomic>
#include <mutex>

namespace mpf::python {

/// A mutex. A fork copies it as it is: where another thread of the parent held it, the child cannot
/// use the object. It gets Error(Usage) then, in place of waiting for ever.
class ProcessLock {
public:
  void lock() {
    if (!mutex_.try_lock()) {
      if (forks_ != forkCount())
        fail(ErrorKind::Usage, "another thread was asking this query when the process forked: the "
                               "child has to compile it again, or be started by 'spawn'");
      mutex_.lock();
    }
    forks_ = forkCount();
  }
  void unlock() { mutex_.unlock(); }

private:
  std::mutex mutex_;
  std::atomic<unsigned> forks_{forkCount()}; ///< of the process that had the lock last
};

} // namespace mpf::python
