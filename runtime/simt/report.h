// The findings of the SIMT checker about one launch.
#pragma once

#include <cstdint>
#include <fmt/core.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mpf::simt {

/// The requests of warps at one site, loads and stores alike. A request to shared memory takes
/// wavefronts of 128 bytes (wavefronts.h); a request to global memory moves sectors of 32 bytes.
struct SiteReport {
  uint64_t sharedRequests = 0;
  uint64_t phases = 0, waves = 0; ///< wavefronts: ideal and taken
  uint64_t globalRequests = 0, sectors = 0, leastSectors = 0;

  double conflictRatio() const; ///< waves per phase; 1.00 = free of bank conflicts
  double sectorRatio() const;   ///< sectors moved per sector needed; 1.00 = coalesced
  /// Returns a text: "96 requests, 384 wavefronts (ideal 384)". Shared requests come first, then
  /// global ones if there are any.
  std::string text() const;
};

enum class FaultKind {
  SharedOutOfBounds,
  GlobalOutOfBounds,
  StoreToOperand, ///< a table that the kernel only reads, or its state
  Misaligned,
  SharedRace,        ///< two threads, one word, one barrier epoch, at least one store
  GlobalRace,        ///< two threads without a barrier between them, or two blocks
  UninitialisedRead, ///< shared word that no thread of the block has written
  DivergentBarrier,  ///< some threads of the block never reach it, or reach another one
  DivergentWarp,     ///< a warp operation whose mask names lanes that never come
  EarlyLoad,         ///< load from a table before MPF_GRID_BEGIN
  EarlyStore,        ///< store to a table while an earlier launch may still run
  EndlessWait,       ///< a thread waits for a counter that no block increases any more
  EndlessLoop,       ///< the launch was stopped: it took more steps than Launch::mostSteps
  EarlyEnd, ///< a thread ends before an earlier launch has; later launches would not wait for that
            ///< launch
};
const char *faultName(FaultKind kind);

/// All faults of one kind at one site, with the text of the first.
struct Fault {
  FaultKind kind;
  uint32_t site = 0;
  std::string text;
  uint64_t count = 1;
  unsigned line = 0; ///< line of the kernel's text; 0: only the site is known
};

struct Report {
  std::map<uint32_t, SiteReport> sites;
  std::vector<Fault> faults; ///< in order of first appearance

  /// Adds a fault with this text, or counts the first of its kind and site again. A kernel may have
  /// millions of one fault, so only the first one's text is made.
  template <class... Args>
  void add(FaultKind kind, uint32_t site, fmt::format_string<Args...> text, Args &&...args) {
    if (Fault *const fault = addFirst(kind, site))
      fault->text = fmt::format(text, std::forward<Args>(args)...);
  }
  /// Returns the new fault, without a text; nullptr if one of its kind and site is counted again.
  Fault *addFirst(FaultKind kind, uint32_t site);
  bool has(FaultKind kind) const;
  /// Returns one line per fault; empty if there is none.
  std::string faultText() const;
};

} // namespace mpf::simt
