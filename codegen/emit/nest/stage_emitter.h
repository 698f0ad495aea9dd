// Emits the refetch of segments in kernels without pages in flight (NestPlan::stages = 1): the text
// between two barriers that fills shared memory.
//
// The loads of all segments come before any conversion of logarithms, without branches between
// them. Otherwise each load would wait for the conversion of the one before.
#pragma once

#include "codegen/emit/nest/share_emitter.h"

namespace mpf {

class StageEmitter {
public:
  StageEmitter(const Nest &nest, EntryEmitter &text, CodeWriter &out, const ShareEmitter &shares);

  /// Prints a barrier, the refetch of all segments whose page changes at `depth`, and a barrier.
  void refetch(size_t depth);

private:
  using Share = FetchShare;

  /// Which of the three actions are printed for each vector of a thread's share.
  struct Step {
    bool load = false, convert = false, store = false;
  };
  /// How many vectors of an uneven share are fetched at a time, from position `first` on.
  struct InFlight {
    uint64_t vectors = 1;
    const char *first = "threadIdx.x";
  };

  uint64_t vectorsOf(const Share &share) const; ///< per thread
  bool inRegisters(const Share &share) const;
  void declare(const Share &share, uint64_t vectors);
  void walk(const Share &share, const Step &step);
  void walkEven(const Share &share, const Step &step);
  void walkUneven(const Share &share, const InFlight &loads, const Step &step);
  void copyEven(const Share &share);
  void copyUneven(const Share &share);
  std::string sourceText(const Share &share) const;
  void vector(const Share &share, const Step &step, const std::string &flat,
              const std::string &from, const std::string &to);
  void store(const Share &share, const std::string &flat, const std::string &offset);

  const Nest &nest_;
  EntryEmitter &text_;
  CodeWriter &out_;
  const ShareEmitter &shares_;
};

} // namespace mpf
