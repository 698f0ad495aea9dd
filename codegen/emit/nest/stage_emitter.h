// Refetching segments: the text between two barriers that fills shared memory.
//
// A thread asks for everything before it looks at the first entry: loads of all segments stand
// before any conversion, and no branch stands between them. A conversion of logarithms in between
// would make every load wait for the one before.
#pragma once

#include "codegen/emit/nest/share_emitter.h"

namespace mpf {

class StageEmitter {
public:
  StageEmitter(const Nest &nest, NestEmitter &text, CodeWriter &out, const ShareEmitter &shares);

  /// Barrier, refetch of all segments whose page changes at `depth`, barrier.
  void refetch(size_t depth);

private:
  using Share = FetchShare;

  /// What is done with each vector of a thread's share.
  struct Step {
    bool load = false, convert = false, store = false;
  };
  /// Vectors that an uneven share takes at a time, from `first` on.
  struct Batch {
    uint64_t vectors = 1;
    const char *first = "threadIdx.x";
  };

  uint64_t vectorsOf(const Share &share) const; ///< of one thread
  bool inRegisters(const Share &share) const;
  void declare(const Share &share, uint64_t vectors);
  void walk(const Share &share, const Step &step);
  void walkEven(const Share &share, const Step &step);
  void walkUneven(const Share &share, const Batch &batch, const Step &step);
  void copyEven(const Share &share);
  void copyUneven(const Share &share);
  std::string sourceText(const Share &share) const;
  void vector(const Share &share, const Step &step, const std::string &flat,
              const std::string &from, const std::string &to);
  void store(const Share &share, const std::string &flat, const std::string &offset);

  const Nest &nest_;
  NestEmitter &text_;
  CodeWriter &out_;
  const ShareEmitter &shares_;
};

} // namespace mpf
