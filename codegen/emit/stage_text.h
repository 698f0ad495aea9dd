// Refetching segments: the text between two barriers that fills shared memory.
#pragma once

#include "codegen/emit/nest_text.h"
#include "codegen/emit/staging.h"

#include <vector>

namespace mpf {

class StageText {
public:
  StageText(const Nest &nest, NestText &text, CodeWriter &out, SiteTable &sites);

  bool any() const;
  /// Pointers of this thread's share of every segment, at the top of the kernel.
  void declarePointers();
  /// Barrier, refetch of all segments whose page changes at `depth`, barrier.
  void refetch(size_t depth);

private:
  struct Share {
    size_t operand = 0;
    Staging staging;
    uint32_t loadSite = 0, storeSite = 0;
    bool inRegisters = false; ///< all loads are issued before the barrier
  };

  std::string threadIndex(const Share &share, size_t slot) const;
  std::string loopName(const Share &share, size_t slot) const;
  IndexNames slotNames(const Share &share, bool even) const;
  void fetch(const Share &share);
  void place(const Share &share);
  void copyUneven(const Share &share);
  size_t openShare(const Share &share);
  std::string sourceText(const Share &share) const;
  void load(const Share &share, const std::string &flat, const std::string &offset,
            const std::string &guard);
  void store(const Share &share, const std::string &flat, const std::string &offset);

  const Nest &nest_;
  NestText &text_;
  CodeWriter &out_;
  std::vector<Share> shares_; ///< operands with Placement::Shared
};

} // namespace mpf
