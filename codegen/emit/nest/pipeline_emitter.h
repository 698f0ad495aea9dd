// Pages in flight (NestPlan::stages > 1): segments are copied to shared memory asynchronously,
// stages - 1 pages before they are read, so that a block waits for memory once and not at every
// page, and what is under way takes no registers. Copies of one page are one group; a segment that
// outlives a page is copied with the first page that needs it.
//
// Many copies asked for at once fill the queue of the load/store unit and hold up their warp: they
// are spread over the iterations of the outermost sum loop, and go through L1, which brings them
// faster but takes more of that unit's time (tools/mpf-bench/RESULTS.md).
#pragma once

#include "codegen/emit/nest/share_emitter.h"

namespace mpf {

class PipelineEmitter {
public:
  PipelineEmitter(const Nest &nest, NestEmitter &text, CodeWriter &out, const ShareEmitter &shares);

  /// Asks for the first stages - 1 pages: in front of all page loops.
  void start();
  /// Inside all page loops: waits for this page, asks for the one stages - 1 ahead where copies are
  /// not spread, and sets the pointers of segments with several buffers.
  void turn();
  /// Whether copies are spread: then ask() stands in the outermost sum loop, commit() behind it.
  bool spreads() const { return spreads_; }
  /// Copies of the page stages - 1 ahead, of this iteration where they are spread.
  void ask();
  void commit();

private:
  /// A page by its number: a literal, or a variable of the text.
  struct PageNumber {
    std::string text;
    uint64_t literal = 0;
    bool known = false;
  };
  /// Which iterations of the outermost sum loop ask for what; no name: there is no loop.
  struct Spread {
    std::string step;
    uint64_t steps = 1;
    uint64_t left = 1; ///< iterations that no copy is dealt out to yet: the least significant ones
    size_t turn = 0;   ///< number of the share, so that shares take turns
  };
  Spread spreadOf(size_t turn) const;
  bool worthSpreading() const;
  /// "page / below % extent", worked out where the number is known.
  static std::string part(const PageNumber &page, uint64_t below, uint64_t extent, uint64_t count);
  uint64_t lifetime(const FetchShare &share) const;
  void copy(const FetchShare &share, const PageNumber &page, const Spread &spread);
  void copyEntries(const FetchShare &share, const std::string &guard, Spread spread);
  /// What of a loop of copies, of all loops of a share, an iteration asks for.
  size_t openPart(const std::string &index, uint64_t extent, Spread &spread);
  size_t openShares(const FetchShare &share, Spread &spread);

  const Nest &nest_;
  NestEmitter &text_;
  CodeWriter &out_;
  const ShareEmitter &shares_;
  std::vector<uint64_t> below_; ///< per page loop: pages that one step of it stands for
  uint64_t pages_ = 1;
  bool spreads_ = false;
};

} // namespace mpf
