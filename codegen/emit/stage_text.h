// Refetching segments: the text between two barriers that fills shared memory.
#pragma once

#include "codegen/emit/share_text.h"

namespace mpf {

class StageText {
public:
  StageText(const Nest &nest, NestText &text, CodeWriter &out, const ShareText &shares);

  /// Barrier, refetch of all segments whose page changes at `depth`, barrier.
  void refetch(size_t depth);

private:
  using Share = FetchShare;

  /// All loads are issued before the barrier.
  bool inRegisters(const Share &share) const;
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
  const ShareText &shares_;
};

} // namespace mpf
