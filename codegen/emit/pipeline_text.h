// Pages in flight (KernelPlan::stages > 1): segments are copied to shared memory asynchronously,
// stages - 1 pages before they are read, so that a block waits for memory once and not at every
// page, and what is under way takes no registers. Copies of one page are one group; a segment that
// outlives a page is copied with the first page that needs it.
#pragma once

#include "codegen/emit/share_text.h"

namespace mpf {

class PipelineText {
public:
  PipelineText(const Nest &nest, NestText &text, CodeWriter &out, const ShareText &shares);

  /// Asks for the first stages - 1 pages: in front of all page loops.
  void start();
  /// Inside all page loops: waits for this page, asks for the one stages - 1 ahead, and sets the
  /// pointers of segments with several buffers.
  void turn();

private:
  /// A page by its number: a literal, or a variable of the text.
  struct PageNumber {
    std::string text;
    uint64_t literal = 0;
    bool known = false;
  };
  /// "page / below % extent", worked out where the number is known.
  static std::string part(const PageNumber &page, uint64_t below, uint64_t extent, uint64_t count);
  uint64_t lifetime(const FetchShare &share) const;
  void copy(const FetchShare &share, const PageNumber &page);
  void copyEntries(const FetchShare &share, const std::string &guard);

  const Nest &nest_;
  NestText &text_;
  CodeWriter &out_;
  const ShareText &shares_;
  std::vector<uint64_t> below_; ///< per page loop: pages that one step of it stands for
  uint64_t pages_ = 1;
};

} // namespace mpf
