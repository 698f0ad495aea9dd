// What a thread fetches of each segment in shared memory: its pointers, loops and guards as text.
// stage_emitter.h and pipeline_emitter.h say when.
#pragma once

#include "codegen/emit/nest/nest_emitter.h"
#include "codegen/emit/nest/staging.h"

#include <vector>

namespace mpf {

/// This thread's share of one segment's fetch.
struct FetchShare {
  size_t operand = 0;
  Staging staging;
  uint32_t loadSite = 0, storeSite = 0; ///< of fetches between barriers
};

class ShareEmitter {
public:
  ShareEmitter(const Nest &nest, const NestEmitter &text, CodeWriter &out, SiteTable &sites);

  /// Numbers a load from the segment's table, and a store into the segment.
  uint32_t addLoad(size_t operand) const;
  uint32_t addStore(size_t operand) const;

  /// One for each operand with Placement::Shared, in operand order.
  const std::vector<FetchShare> &shares() const { return shares_; }
  bool any() const { return !shares_.empty(); }
  /// "fFrom", "fTo": where this thread's share begins, at the top of the kernel.
  void declarePointers();
  /// Opens a condition where some threads have no part in an even share: 0 or 1 braces.
  size_t openBusy(const FetchShare &share) const;
  /// Opens the loops over this thread's vectors of an even share and, where some threads are idle,
  /// a condition; says how many braces that took. The outer loops are unrolled only as far as one
  /// body holds `mostVectors`.
  size_t openLoops(const FetchShare &share, NestEmitter &text, uint64_t mostVectors) const;
  /// The loop over this thread's part of a slot; parts of one axis are told apart by number.
  std::string loopName(const FetchShare &share, size_t slot) const;
  /// The index of a slot of an uneven share: "position / 8 % 4".
  std::string positionIndex(const FetchShare &share, size_t slot) const;
  /// The value of every axis at the first entry of a vector; page axes keep their names.
  IndexNames slotNames(const FetchShare &share) const;

private:
  std::string threadIndex(const FetchShare &share, size_t slot) const;

  const Nest &nest_;
  const NestEmitter &text_;
  CodeWriter &out_;
  SiteTable &sites_;
  std::vector<FetchShare> shares_;
};

} // namespace mpf
