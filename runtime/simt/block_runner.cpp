#include "runtime/simt/block_runner.h"

#include "runtime/simt/matrix_lanes.h"

#include <algorithm>
#include <cstring>
#include <fmt/core.h>

namespace mpf::simt {

namespace {

/// Costs in iterations of an empty loop, by their time.
constexpr uint64_t kStepsOfAccess = 16, kStepsOfMeeting = 16;
/// The cost of an asynchronous copy, by the memory of copies in flight.
constexpr uint64_t kStepsOfCopy = 256;
/// The logged accesses after which a thread yields: its warp catches up, so that the log can be
/// flushed.
constexpr uint32_t kMostLogged = 1 << 16;

} // namespace

BlockRunner::BlockRunner(const Launch &launch, Memory &memory, Report &report, bool overlaps,
                         SimtCurrent &current, SimtSteps &steps)
    : launch_(launch), memory_(memory), shared_(launch, memory.order(), report), report_(report),
      overlaps_(overlaps), current_(current), steps_(steps), threads_(launch.blockThreads),
      warpEpochs_((launch.blockThreads + 31) / 32) {}

Moment BlockRunner::now() const { return {block_, running_, epoch_, warpEpochs_[running_ / 32]}; }

void BlockRunner::start(uint32_t block, const std::function<void()> &body) {
  block_ = block;
  epoch_ = 0;
  std::fill(warpEpochs_.begin(), warpEpochs_.end(), 0);
  shared_.clear();
  for (Thread &thread : threads_) {
    thread.fibre.start(body);
    thread.state = State::Ready;
    thread.overlaps = overlaps_;
    thread.mayLoad = thread.mayStore = false;
    thread.openCopies.clear();
    thread.copyGroups.clear();
  }
}

bool BlockRunner::isIn(State state) const {
  return std::ranges::any_of(threads_, [&](const Thread &thread) { return thread.state == state; });
}

bool BlockRunner::isRunning() const {
  return std::ranges::any_of(threads_,
                             [](const Thread &thread) { return thread.state != State::Done; });
}

bool BlockRunner::isAwake(const Thread &thread) {
  return thread.state == State::Await && *thread.counter >= thread.count;
}

bool BlockRunner::canGoOn() const {
  return isIn(State::Ready) || std::ranges::any_of(threads_, isAwake);
}

/// Makes threads ready whose wait has ended. They have then seen what was published at the counter.
bool BlockRunner::wake() {
  bool any = false;
  for (running_ = 0; running_ < threads_.size(); ++running_)
    if (isAwake(threads_[running_])) {
      memory_.acquire(now(), threads_[running_].counter);
      threads_[running_].state = State::Ready;
      any = true;
    }
  return any;
}

void BlockRunner::goOn() {
  current_.blockIdx = {block_, 0, 0};
  while (true) {
    wake();
    for (uint32_t first = 0; first < threads_.size(); first += 32)
      runWarp(first, std::min<uint32_t>(first + 32, launch_.blockThreads));
    if (wake())
      continue;
    if (isIn(State::Await) || !isIn(State::Barrier))
      break;
    releaseBarrier();
  }
}

void BlockRunner::endWaits() {
  for (uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].state != State::Await)
      continue;
    report_.add(FaultKind::EndlessWait, 0,
                "thread {} of block {} waits until a counter is {}; it stays at {}", i, block_,
                threads_[i].count, *threads_[i].counter);
    threads_[i].state = State::Ready;
  }
}

/// Runs the lanes of a warp until all are at a barrier or done.
void BlockRunner::runWarp(uint32_t first, uint32_t last) {
  const auto isReady = [](const Thread &thread) { return thread.state == State::Ready; };
  do {
    do {
      runLanes(first, last);
      log_.flush(report_);
    } while (std::any_of(threads_.begin() + first, threads_.begin() + last, isReady));
  } while (finishCollectives(first, last));
}

/// Runs each lane until it waits, ends, or has filled its part of the log.
void BlockRunner::runLanes(uint32_t first, uint32_t last) {
  for (running_ = first; running_ < last; ++running_) {
    Thread &thread = threads_[running_];
    if (thread.state != State::Ready)
      continue;
    current_.threadIdx = {running_, 0, 0};
    steps_.line = 0;
    lastSite_ = 0;
    thread.logged = 0;
    if (thread.fibre.resume())
      continue;
    thread.state = State::Done;
    if (thread.overlaps)
      report_.add(FaultKind::EarlyEnd, 0,
                  "thread {} of block {} ends before it has waited for the launch "
                  "before",
                  running_, block_);
  }
}

/// Does not unwind the fibres: objects on a kernel's stack need no destructor.
void BlockRunner::stop() {
  if (Fault *const fault = report_.addFirst(FaultKind::EndlessLoop, lastSite_)) {
    fault->text = fmt::format("thread {} of block {} has not ended when the launch has taken {} "
                              "steps: it is here, or in a loop around it",
                              running_, block_, launch_.mostSteps);
    fault->line = steps_.line;
  }
  for (Thread &thread : threads_)
    thread.state = State::Done;
  threads_[running_].fibre.yield();
}

void BlockRunner::spend(uint64_t steps) {
  if (steps_.left < steps)
    stop();
  steps_.left -= steps;
}

void BlockRunner::log(uint32_t site, bool shared, const void *address, uint32_t bytes) {
  log_.add(site, running_ % 32, shared, reinterpret_cast<uintptr_t>(address), bytes);
  if (++threads_[running_].logged == kMostLogged)
    threads_[running_].fibre.yield();
}

/// Completes every warp operation whose lanes have all arrived. Returns true if some thread can go
/// on.
bool BlockRunner::finishCollectives(uint32_t first, uint32_t last) {
  std::vector<uint32_t> waiting;
  for (uint32_t i = first; i < last; ++i)
    if (threads_[i].state == State::Collective)
      waiting.push_back(i);
  if (waiting.empty())
    return false;
  bool progress = false;
  for (uint32_t i : waiting) {
    if (threads_[i].state != State::Collective)
      continue;
    std::vector<uint32_t> lanes;
    uint32_t present = 0;
    for (uint32_t j : waiting)
      if (threads_[j].state == State::Collective && threads_[j].mask == threads_[i].mask &&
          threads_[j].kind == threads_[i].kind && (threads_[i].mask >> (j - first) & 1) != 0) {
        lanes.push_back(j);
        present |= 1u << (j - first);
      }
    if (present == threads_[i].mask) {
      combine(first, lanes);
      progress = true;
    }
  }
  if (progress)
    return true;
  for (uint32_t i = first; i < last; ++i)
    if (threads_[i].state == State::Await)
      return false; // the other lanes wait for it
  report_.add(FaultKind::DivergentWarp, 0,
              "thread {} of block {} waits for lanes {:#x}, which do not all come", waiting.front(),
              block_, threads_[waiting.front()].mask);
  for (uint32_t i : waiting)
    threads_[i].state = State::Ready;
  return true;
}

void BlockRunner::combine(uint32_t first, const std::vector<uint32_t> &lanes) {
  if (threads_[lanes.front()].kind == SimtMatrix) {
    std::vector<const SimtMatrixLane *> registers;
    for (uint32_t lane : lanes) {
      registers.push_back(reinterpret_cast<const SimtMatrixLane *>(threads_[lane].value));
      threads_[lane].state = State::Ready;
    }
    if (!multiplyMatrix(registers))
      report_.add(FaultKind::DivergentWarp, 0,
                  "block {}: lanes meet in different matrix instructions", block_);
    ++warpEpochs_[first / 32];
    return;
  }
  std::vector<uint64_t> given;
  for (uint32_t lane : lanes)
    given.push_back(threads_[lane].value);
  for (uint32_t lane : lanes) {
    Thread &thread = threads_[lane];
    auto result = static_cast<int32_t>(given.front());
    for (size_t i = 1; i < given.size(); ++i) {
      const auto value = static_cast<int32_t>(given[i]);
      if (thread.kind == SimtMin)
        result = std::min(result, value);
      else if (thread.kind == SimtMax)
        result = std::max(result, value);
      else
        result += value;
    }
    if (thread.kind == SimtShuffle) {
      const auto from = std::find(lanes.begin(), lanes.end(), first + thread.source);
      if (from == lanes.end())
        report_.add(FaultKind::DivergentWarp, 0,
                    "lane {} of block {} reads from lane {}, which takes no part", lane - first,
                    block_, thread.source);
      else
        thread.value = given[static_cast<size_t>(from - lanes.begin())];
    } else {
      thread.value = static_cast<uint64_t>(static_cast<int64_t>(result));
    }
    thread.state = State::Ready;
  }
  ++warpEpochs_[first / 32];
}

void BlockRunner::releaseBarrier() {
  uint32_t done = 0, waiting = 0;
  int line = 0;
  bool sameLine = true;
  for (const Thread &thread : threads_) {
    done += thread.state == State::Done;
    if (thread.state != State::Barrier)
      continue;
    sameLine &= waiting == 0 || line == thread.barrierLine;
    line = thread.barrierLine;
    ++waiting;
  }
  if (done > 0 || !sameLine)
    report_.add(FaultKind::DivergentBarrier, 0,
                "block {}: {} threads wait at line {}, {} have left{}", block_, waiting, line, done,
                sameLine ? "" : ", others wait at another line");
  for (Thread &thread : threads_)
    if (thread.state == State::Barrier)
      thread.state = State::Ready;
  ++epoch_;
}

void *BlockRunner::access(uint32_t site, const void *address, uint32_t bytes, int kind) {
  lastSite_ = site;
  spend(kStepsOfAccess);
  const AccessKind accessKind = kind == SimtLoad    ? AccessKind::Load
                                : kind == SimtStore ? AccessKind::Store
                                                    : AccessKind::Atomic;
  const Memory::Result result = memory_.access(shared_, site, now(), address, bytes, accessKind);
  if (result.valid && !result.shared && !result.constant)
    judgeOverlap(site, accessKind);
  if (result.valid)
    log(site, result.shared, address, bytes);
  return result.address;
}

/// Overwrites the target until the copy has landed. The pending store is recorded now, so that
/// early reads and races are found.
void BlockRunner::copyAsync(uint32_t toSite, void *to, uint32_t fromSite, const void *from,
                            uint32_t bytes, bool inside) {
  spend(kStepsOfCopy);
  Copy copy{toSite, to, bytes, {}};
  if (inside) {
    const void *const source = access(fromSite, from, bytes, SimtLoad);
    std::memcpy(copy.data.data(), source, bytes);
  }
  const Memory::Result target =
      memory_.access(shared_, toSite, now(), to, bytes, AccessKind::Pending);
  if (!target.valid)
    return;
  std::memset(to, 0xff, bytes);
  threads_[running_].openCopies.push_back(copy);
  log(toSite, target.shared, to, bytes);
}

void BlockRunner::copyCommit() {
  spend(kStepsOfCopy);
  Thread &thread = threads_[running_];
  thread.copyGroups.push_back(std::move(thread.openCopies));
  thread.openCopies.clear();
}

void BlockRunner::copyWait(size_t groupsLeft) {
  Thread &thread = threads_[running_];
  for (; thread.copyGroups.size() > groupsLeft; thread.copyGroups.pop_front())
    for (const Copy &copy : thread.copyGroups.front())
      std::memcpy(
          memory_.access(shared_, copy.site, now(), copy.to, copy.bytes, AccessKind::Store).address,
          copy.data.data(), copy.bytes);
}

/// Judges an access to global memory while an earlier launch may still be running.
void BlockRunner::judgeOverlap(uint32_t site, AccessKind kind) {
  const Thread &thread = threads_[running_];
  if (!thread.overlaps)
    return;
  if (kind == AccessKind::Load && !thread.mayLoad)
    report_.add(FaultKind::EarlyLoad, site,
                "thread {} of block {} loads before its kernel begins to", running_, block_);
  if (kind != AccessKind::Load && !thread.mayStore)
    report_.add(FaultKind::EarlyStore, site,
                "thread {} of block {} stores before it has waited for the launch before", running_,
                block_);
}

void BlockRunner::gridBegin(bool mayStore) {
  threads_[running_].mayLoad = true;
  threads_[running_].mayStore = mayStore;
}

void BlockRunner::barrier(int line) {
  spend(kStepsOfMeeting);
  Thread &thread = threads_[running_];
  thread.state = State::Barrier;
  thread.barrierLine = line;
  thread.fibre.yield();
}

/// Checks the access to the counter once. Afterwards the runner polls the counter.
void BlockRunner::await(const unsigned *counter, unsigned count) {
  Thread &thread = threads_[running_];
  thread.counter = static_cast<const unsigned *>(access(0, counter, sizeof *counter, SimtLoad));
  thread.count = count;
  thread.state = State::Await;
  thread.fibre.yield();
}

uint64_t BlockRunner::collective(int kind, uint32_t mask, uint64_t value, uint32_t source) {
  Thread &thread = threads_[running_];
  const uint32_t lane = running_ % 32;
  if ((mask >> lane & 1) == 0) {
    report_.add(FaultKind::DivergentWarp, 0,
                "lane {} of block {} calls a warp operation of lanes {:#x}", lane, block_, mask);
    return value;
  }
  spend(kStepsOfMeeting);
  thread.state = State::Collective;
  thread.kind = kind;
  thread.mask = mask;
  thread.value = value;
  thread.source = source;
  thread.fibre.yield();
  return thread.value;
}

} // namespace mpf::simt
