#include "runtime/simt/block_runner.h"

#include "runtime/simt/warp_calls.h"

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

bool anyIn(ThreadState state, std::span<const BlockThread> threads) {
  return std::ranges::any_of(threads,
                             [state](const BlockThread &thread) { return thread.state == state; });
}

/// Lets the threads at a barrier go on. Reports a barrier at which not all threads meet.
void releaseBarrier(std::span<BlockThread> threads, uint32_t block, Report &report) {
  uint32_t done = 0, waiting = 0;
  int line = 0;
  bool sameLine = true;
  for (const BlockThread &thread : threads) {
    done += thread.state == ThreadState::Done;
    if (thread.state != ThreadState::Barrier)
      continue;
    sameLine &= waiting == 0 || line == thread.barrierLine;
    line = thread.barrierLine;
    ++waiting;
  }
  if (done > 0 || !sameLine)
    report.add(FaultKind::DivergentBarrier, 0,
               "block {}: {} threads wait at line {}, {} have left{}", block, waiting, line, done,
               sameLine ? "" : ", others wait at another line");
  for (BlockThread &thread : threads)
    if (thread.state == ThreadState::Barrier)
      thread.state = ThreadState::Ready;
}

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
  for (BlockThread &thread : threads_) {
    thread.fibre.start(body);
    thread.state = ThreadState::Ready;
    thread.launch = {overlaps_, false, false};
    thread.openCopies.clear();
    thread.copyGroups.clear();
  }
}

bool BlockRunner::isRunning() const {
  return std::ranges::any_of(
      threads_, [](const BlockThread &thread) { return thread.state != ThreadState::Done; });
}

bool BlockRunner::canGoOn() const {
  return anyIn(ThreadState::Ready, threads_) ||
         std::ranges::any_of(threads_, &BlockThread::isAwake);
}

/// Makes threads ready whose wait has ended. They have then seen what was published at the counter.
bool BlockRunner::wake() {
  bool any = false;
  for (running_ = 0; running_ < threads_.size(); ++running_)
    if (threads_[running_].isAwake()) {
      memory_.acquire(now(), threads_[running_].counter);
      threads_[running_].state = ThreadState::Ready;
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
    if (anyIn(ThreadState::Await, threads_) || !anyIn(ThreadState::Barrier, threads_))
      break;
    releaseBarrier(threads_, block_, report_);
    ++epoch_;
  }
}

void BlockRunner::endWaits() {
  for (uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].state != ThreadState::Await)
      continue;
    report_.add(FaultKind::EndlessWait, 0,
                "thread {} of block {} waits until a counter is {}; it stays at {}", i, block_,
                threads_[i].count, *threads_[i].counter);
    threads_[i].state = ThreadState::Ready;
  }
}

/// Runs the lanes of a warp until all are at a barrier or done.
void BlockRunner::runWarp(uint32_t first, uint32_t last) {
  const WarpOfBlock warp{std::span(threads_).subspan(first, last - first), block_, first};
  const auto isReady = [](const BlockThread &thread) { return thread.state == ThreadState::Ready; };
  do {
    do {
      runLanes(first, last);
      log_.flush(report_);
    } while (std::ranges::any_of(warp.lanes, isReady));
  } while (finishWarpCalls(warp, warpEpochs_[first / 32], report_));
}

/// Runs each lane until it waits, ends, or has filled its part of the log.
void BlockRunner::runLanes(uint32_t first, uint32_t last) {
  for (running_ = first; running_ < last; ++running_) {
    BlockThread &thread = threads_[running_];
    if (thread.state != ThreadState::Ready)
      continue;
    current_.threadIdx = {running_, 0, 0};
    steps_.line = 0;
    lastSite_ = 0;
    thread.logged = 0;
    if (thread.fibre.resume())
      continue;
    thread.state = ThreadState::Done;
    if (thread.launch.overlaps)
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
  for (BlockThread &thread : threads_)
    thread.state = ThreadState::Done;
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

void *BlockRunner::access(uint32_t site, const void *address, uint32_t bytes, int kind) {
  lastSite_ = site;
  spend(kStepsOfAccess);
  const AccessKind accessKind = kind == SimtLoad    ? AccessKind::Load
                                : kind == SimtStore ? AccessKind::Store
                                                    : AccessKind::Atomic;
  const Memory::Result result = memory_.access(shared_, site, now(), address, bytes, accessKind);
  if (result.valid && !result.shared && !result.constant && overlap().forbids(accessKind))
    accessKind == AccessKind::Load
        ? report_.add(FaultKind::EarlyLoad, site,
                      "thread {} of block {} loads before its kernel begins to", running_, block_)
        : report_.add(FaultKind::EarlyStore, site,
                      "thread {} of block {} stores before it has waited for the launch before",
                      running_, block_);
  if (result.valid)
    log(site, result.shared, address, bytes);
  return result.address;
}

/// Overwrites the target until the copy has landed. The pending store is recorded now, so that
/// early reads and races are found.
void BlockRunner::copyAsync(uint32_t toSite, void *to, uint32_t fromSite, const void *from,
                            uint32_t bytes, bool inside) {
  spend(kStepsOfCopy);
  AsyncCopy copy{toSite, to, bytes, {}};
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
  BlockThread &thread = threads_[running_];
  thread.copyGroups.push_back(std::move(thread.openCopies));
  thread.openCopies.clear();
}

void BlockRunner::copyWait(size_t groupsLeft) {
  BlockThread &thread = threads_[running_];
  for (; thread.copyGroups.size() > groupsLeft; thread.copyGroups.pop_front())
    for (const AsyncCopy &copy : thread.copyGroups.front())
      std::memcpy(
          memory_.access(shared_, copy.site, now(), copy.to, copy.bytes, AccessKind::Store).address,
          copy.data.data(), copy.bytes);
}

void BlockRunner::barrier(int line) {
  spend(kStepsOfMeeting);
  BlockThread &thread = threads_[running_];
  thread.state = ThreadState::Barrier;
  thread.barrierLine = line;
  thread.fibre.yield();
}

/// Checks the access to the counter once. Afterwards the runner polls the counter.
void BlockRunner::await(const unsigned *counter, unsigned count) {
  BlockThread &thread = threads_[running_];
  thread.counter = static_cast<const unsigned *>(access(0, counter, sizeof *counter, SimtLoad));
  thread.count = count;
  thread.state = ThreadState::Await;
  thread.fibre.yield();
}

uint64_t BlockRunner::collective(int kind, uint32_t mask, uint64_t value, uint32_t source) {
  BlockThread &thread = threads_[running_];
  const uint32_t lane = running_ % 32;
  if ((mask >> lane & 1) == 0) {
    report_.add(FaultKind::DivergentWarp, 0,
                "lane {} of block {} calls a warp operation of lanes {:#x}", lane, block_, mask);
    return value;
  }
  spend(kStepsOfMeeting);
  thread.state = ThreadState::Collective;
  thread.call = {kind, mask, value, source};
  thread.fibre.yield();
  return thread.call.value;
}

} // namespace mpf::simt
