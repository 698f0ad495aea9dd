#include "runtime/execute/host/run_tasks.h"

#include "runtime/execute/host/short_wait.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>

namespace mpf {

namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

/// A unit that has started and not ended. Everything but `next` is under the mutex, or belongs to
/// the one thread that advances the unit.
struct Seat {
  uint32_t unit = kNone;       ///< kNone: the seat is free
  uint32_t at = 0;             ///< operations of the unit that have ended
  size_t parts = 0;            ///< of the operation under way
  size_t users = 0;            ///< threads that take parts of it
  bool failed = false;         ///< one of its parts has
  std::atomic<size_t> next{0}; ///< the next part

  bool hasParts() const { return users > 0 && next.load(std::memory_order_relaxed) < parts; }
};

class TaskRun {
public:
  TaskRun(const TaskGraph &graph, size_t threads, TaskWork &work)
      : graph_(graph), work_(work), seats_(threads), waits_(graph.units.size()) {
    for (uint32_t u = 0; u < graph.units.size(); ++u) {
      waits_[u] = graph.units[u].waits;
      if (waits_[u] == 0)
        ready_.push_back(u);
    }
    std::make_heap(ready_.begin(), ready_.end(), std::greater<>());
  }

  /// What one thread does from the beginning to the end of the run.
  void help(size_t worker) {
    std::unique_lock lock(mutex_);
    while (true) {
      if (Seat *seat = seatWithParts(); seat != nullptr) {
        ++seat->users;
        lock.unlock();
        takeParts(*seat, worker);
        lock.lock();
        if (leaves(*seat))
          advance(*seat, worker, lock);
      } else if (hasReady()) {
        advance(startFirst(), worker, lock);
      } else if (active_ == 0) {
        return;
      } else {
        wait(lock);
      }
    }
  }

  void rethrow() const {
    if (failure_)
      std::rethrow_exception(failure_);
  }

private:
  Seat *seatWithParts() {
    for (Seat &seat : seats_)
      if (seat.hasParts())
        return &seat;
    return nullptr;
  }
  bool hasReady() const { return !ready_.empty() && ready_.front() < failedUnit_; }

  Seat &startFirst() {
    std::pop_heap(ready_.begin(), ready_.end(), std::greater<>());
    const uint32_t unit = ready_.back();
    ready_.pop_back();
    ++active_;
    // Each seat in use has a thread of its own, and this one has none.
    Seat &seat = *std::ranges::find(seats_, kNone, &Seat::unit);
    seat.unit = unit;
    seat.at = 0;
    seat.failed = false;
    return seat;
  }

  size_t indexOf(const Seat &seat) const { return static_cast<size_t>(&seat - seats_.data()); }

  void takeParts(Seat &seat, size_t worker) {
    try {
      for (size_t part = seat.next++; part < seat.parts; part = seat.next++)
        work_.runPart(indexOf(seat), part, seat.parts, worker);
    } catch (...) {
      seat.next = seat.parts;
      const std::lock_guard lock(mutex_);
      noteFailure(seat);
    }
  }

  /// The calling thread takes no more parts. True if it was the last: the operation can end.
  bool leaves(Seat &seat) { return --seat.users == 0; }

  void noteFailure(Seat &seat) {
    seat.failed = true;
    if (seat.unit >= failedUnit_)
      return;
    failedUnit_ = seat.unit;
    failure_ = std::current_exception();
  }

  /// Runs the unit in `seat` on, up to its end or to where other threads are still at work on an
  /// operation of it: the last of them goes on. The lock is held before and after.
  void advance(Seat &seat, size_t worker, std::unique_lock<std::mutex> &lock) {
    const TaskGraph::Unit &unit = graph_.units[seat.unit];
    const uint32_t *const operations = graph_.operations.data() + unit.first;
    bool underWay = seat.parts != 0; // its parts have run
    lock.unlock();
    try {
      while (!seat.failed && seat.at < unit.count) {
        if (!underWay) {
          const size_t parts = work_.beginOperation(operations[seat.at], indexOf(seat));
          if (parts > 1 && !shareParts(seat, parts, worker, lock))
            return;
          if (parts == 1)
            work_.runPart(indexOf(seat), 0, 1, worker);
          underWay = parts != 0;
          if (seat.failed)
            break;
        }
        if (underWay)
          work_.endOperation(indexOf(seat));
        underWay = false;
        seat.parts = 0;
        ++seat.at;
      }
    } catch (...) {
      lock.lock();
      noteFailure(seat);
      lock.unlock();
    }
    lock.lock();
    finish(seat);
  }

  /// Runs parts together with other threads. False: others are still at it. Then the lock is held.
  bool shareParts(Seat &seat, size_t parts, size_t worker, std::unique_lock<std::mutex> &lock) {
    lock.lock();
    seat.parts = parts;
    seat.next = 0;
    seat.users = 1;
    wake(parts - 1);
    lock.unlock();
    takeParts(seat, worker);
    lock.lock();
    if (!leaves(seat))
      return false;
    lock.unlock();
    return true;
  }

  void finish(Seat &seat) {
    size_t more = 0;
    if (!seat.failed)
      for (const uint32_t follower : graph_.followersOf(seat.unit))
        if (--waits_[follower] == 0) {
          ready_.push_back(follower);
          std::push_heap(ready_.begin(), ready_.end(), std::greater<>());
          ++more;
        }
    seat.unit = kNone;
    seat.parts = 0;
    --active_;
    if (active_ == 0 && !hasReady())
      wake(seats_.size()); // the end
    else if (more > 1)
      wake(more - 1); // this thread takes one itself
  }

  void wake(size_t count) {
    news_.fetch_add(1, std::memory_order_release);
    for (size_t i = std::min(count, sleeping_); i > 0; --i)
      wake_.notify_one();
  }

  void wait(std::unique_lock<std::mutex> &lock) {
    const uint64_t seen = news_.load(std::memory_order_relaxed);
    lock.unlock();
    shortWait(kWaitForTask, [&] { return news_.load(std::memory_order_acquire) != seen; });
    lock.lock();
    ++sleeping_;
    wake_.wait(lock, [&] { return news_.load(std::memory_order_relaxed) != seen; });
    --sleeping_;
  }

  const TaskGraph &graph_;
  TaskWork &work_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Seat> seats_;     ///< one for each thread
  std::vector<uint32_t> waits_; ///< by unit: for so many others
  std::vector<uint32_t> ready_; ///< units that wait for none and have not started: least first
  size_t active_ = 0;           ///< units that have started and not ended
  size_t sleeping_ = 0;
  std::atomic<uint64_t> news_{0}; ///< grows when there is something to take, and at the end
  uint32_t failedUnit_ = kNone;   ///< the first that failed; none behind it starts
  std::exception_ptr failure_;
};

} // namespace

void runTasks(const TaskGraph &graph, ThreadPool &pool, TaskWork &work) {
  TaskRun run(graph, pool.threadCount(), work);
  pool.run(pool.threadCount(), [&run](size_t, size_t worker) { run.help(worker); });
  run.rethrow();
}

} // namespace mpf
