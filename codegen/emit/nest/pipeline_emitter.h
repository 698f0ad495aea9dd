// Emits the copies of kernels with pages in flight (NestPlan::stages > 1). Segments are copied to
// shared memory asynchronously, stages - 1 pages before they are read. So a block waits for memory
// once and not at every page, and copies in flight take no registers. The copies of one page are
// one group; a segment that outlives a page is copied with the first page that needs it.
//
// Many copies issued at once fill the queue of the load/store unit and stall their warp. Therefore
// they are spread over the iterations of the outermost sum loop, and go through L1, which delivers
// them faster but takes more of that unit's time (tools/mpf-bench/results/2026-11-21-triangle.md).
#pragma once

#include "codegen/emit/nest/share_emitter.h"

namespace mpf {

class PipelineEmitter {
public:
  PipelineEmitter(const Nest &nest, EntryEmitter &text, CodeWriter &out,
                  const ShareEmitter &shares);

  /// Prints, before all page loops: starts the copies of the first stages - 1 pages.
  void start();
  /// Prints the text at the start of a page, inside all page loops. It waits for the copies of this
  /// page, and sets the pointers of segments with several buffers. Unless copies are spread, it
  /// starts those of the page that is stages - 1 ahead.
  void turn();
  /// Whether copies are spread. Then the caller puts startCopies() into the outermost sum loop, and
  /// commit() behind that loop.
  bool spreads() const { return spreads_; }
  /// Starts the copies of the page stages - 1 ahead; if they are spread, those of one iteration.
  void startCopies();
  void commit();

private:
  /// A page by its number: a literal, or a variable of the text.
  struct PageNumber {
    std::string text;
    uint64_t literal = 0;
    bool known = false;
  };
  /// How copies are dealt out to the iterations of the outermost sum loop.
  struct Spread {
    std::string step;   ///< index of that loop; "": there is no loop
    uint64_t steps = 1; ///< its extent
    uint64_t left = 1;  ///< iterations that have no copy yet: the least significant ones
    size_t turn = 0;    ///< number of the share, so that shares take turns
  };
  Spread spreadOf(size_t turn) const;
  bool worthSpreading() const;
  /// "page / below % extent", worked out where the number is known.
  static std::string part(const PageNumber &page, uint64_t below, uint64_t extent, uint64_t count);
  uint64_t lifetime(const FetchShare &share) const;
  void copy(const FetchShare &share, const PageNumber &page, const Spread &spread);
  void copyEntries(const FetchShare &share, const std::string &guard, Spread spread);
  /// Open the part of a loop of copies (of all loops of a share) that one iteration starts. They
  /// return how many braces that took.
  size_t openPart(const std::string &index, uint64_t extent, Spread &spread);
  size_t openShares(const FetchShare &share, Spread &spread);

  const Nest &nest_;
  EntryEmitter &text_;
  CodeWriter &out_;
  const ShareEmitter &shares_;
  std::vector<uint64_t> below_; ///< per page loop: how many pages one step of it skips
  uint64_t pages_ = 1;
  bool spreads_ = false;
};

} // namespace mpf
