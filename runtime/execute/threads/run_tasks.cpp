#include "runtime/execute/threads/run_tasks.h"

#include "dsl/support/system/watched_call.h"
#include "runtime/execute/threads/short_wait.h"
#include "runtime/execute/threads/sleepers.h"
#include "runtime/execute/threads/spin_lock.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>

namespace mpf {

namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

/// A unit that has started and not ended. The lock protects all members except `next`, unless one
/// thread advances the unit.
struct Seat {
  uint32_t unit = kNone;       ///< kNone: the seat is free
  uint32_t at = 0;             ///< number of ended operations of the unit
  size_t parts = 0;            ///< parts of the running operation
  size_t users = 0;            ///< threads that take its parts
  bool failed = false;         ///< one of its parts has failed
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
    noteReady();
  }

  /// Runs the work of one thread from the beginning to the end of the run.
  void help(size_t worker) {
    std::unique_lock lock(lock_);
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
        lock.unlock();
        waitForWork();
        lock.lock();
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
    noteReady();
    ++active_;
    // A seat is free: each used seat has a separate thread, and this thread has none.
    Seat &seat = *std::ranges::find(seats_, kNone, &Seat::unit);
    seat.unit = unit;
    seat.at = 0;
    seat.failed = false;
    return seat;
  }

  size_t indexOf(const Seat &seat) const { return static_cast<size_t>(&seat - seats_.data()); }

  void takeParts(Seat &seat, size_t worker) {
    bool isFirstWithout = false;
    try {
      size_t part = seat.next++;
      for (; part < seat.parts; part = seat.next++)
        work_.runPart(indexOf(seat), part, seat.parts, worker);
      isFirstWithout = part == seat.parts;
    } catch (...) {
      isFirstWithout = seat.next.exchange(seat.parts + 1) <= seat.parts;
      const std::lock_guard lock(lock_);
      noteFailure(seat);
    }
    if (isFirstWithout)
      seatsWithParts_.fetch_sub(1);
  }

  /// Notes that the calling thread takes no more parts. Returns true if it was the last, so that
  /// the operation can end.
  bool leaves(Seat &seat) { return --seat.users == 0; }

  void noteFailure(Seat &seat) {
    seat.failed = true;
    if (seat.unit >= failedUnit_)
      return;
    failedUnit_ = seat.unit;
    failure_ = std::current_exception();
    noteReady();
  }

  /// Continues the unit in `seat` up to its end, or until other threads still run parts of its
  /// operation; the last of them continues it. The lock is held before and after.
  void advance(Seat &seat, size_t worker, std::unique_lock<SpinLock> &lock) {
    const TaskGraph::Unit &unit = graph_.units[seat.unit];
    const uint32_t *const operations = graph_.operations.data() + unit.first;
    bool underWay = seat.parts != 0; // its parts have run
    lock.unlock();
    try {
      while (!seat.failed && seat.at < unit.count) {
        if (!underWay) {
          throwIfCancelled();
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

  /// Runs parts together with other threads. Returns false, with the lock held, if others still run
  /// parts.
  bool shareParts(Seat &seat, size_t parts, size_t worker, std::unique_lock<SpinLock> &lock) {
    lock.lock();
    seat.parts = parts;
    seat.next = 0;
    seat.users = 1;
    seatsWithParts_.fetch_add(1);
    lock.unlock();
    sleepers_.announce(std::min(parts - 1, kWokenByOne));
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
    noteReady();
    if (active_ == 0 && !hasReady()) {
      isOver_.store(true);
      sleepers_.announce(seats_.size());
    } else if (more > 1) { // this thread takes one itself
      sleepers_.announce(std::min(more - 1, kWokenByOne));
    }
  }

  /// Updates readyUnits_. Called after each change of the units that may start.
  void noteReady() { readyUnits_.store(hasReady() ? ready_.size() : 0); }

  /// Waits until there is work or the run is over. The lock must not be held.
  void waitForWork() {
    const auto isWorth = [this] {
      return seatsWithParts_.load() != 0 || readyUnits_.load() != 0 || isOver_.load();
    };
    if (shortWait(kWaitForTask, isWorth))
      return;
    sleepers_.sleepUntil(isWorth);
    if (seatsWithParts_.load() != 0 || readyUnits_.load() > 1)
      sleepers_.announce(kWokenByOne);
  }

  const TaskGraph &graph_;
  TaskWork &work_;
  SpinLock lock_;
  Sleepers sleepers_;
  std::vector<Seat> seats_;     ///< one for each thread
  std::vector<uint32_t> waits_; ///< by unit: number of units that it waits for
  std::vector<uint32_t> ready_; ///< units that wait for none and have not started: least first
  size_t active_ = 0;           ///< units that have started and not ended
  // Idle threads read these, so that they take the lock only when there is work:
  std::atomic<size_t> seatsWithParts_{0}; ///< seats whose parts are not all taken
  std::atomic<size_t> readyUnits_{0};     ///< units that may start
  std::atomic<bool> isOver_{false};
  uint32_t failedUnit_ = kNone; ///< the first unit that failed; units behind it do not start
  std::exception_ptr failure_;
};

} // namespace

void runTasks(const TaskGraph &graph, ThreadPool &pool, size_t threads, TaskWork &work) {
  const size_t helpers = std::min(threads, pool.threadCount());
  TaskRun run(graph, helpers, work);
  pool.run(helpers, [&run](size_t, size_t worker) { run.help(worker); });
  run.rethrow();
}

} // namespace mpf
