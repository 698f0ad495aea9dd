// Prints pointers, loops and guards of the part of a Shared segment that one thread fetches (its
// *share*, staging.h). stage_emitter.h and pipeline_emitter.h print the fetches themselves.
#pragma once

#include "codegen/emit/nest/address_emitter.h"
#include "codegen/emit/nest/entry_emitter.h"
#include "codegen/emit/nest/staging.h"

#include <vector>

namespace mpf {

/// This thread's share of one segment's fetch.
struct FetchShare {
  size_t operand = 0;
  Staging staging;
  uint32_t loadSite = 0, storeSite = 0; ///< sites of fetches between barriers (stages = 1)
};

class ShareEmitter {
public:
  ShareEmitter(const Nest &nest, const EntryEmitter &text, CodeWriter &out, SiteTable &sites);

  /// Add an access site for a load from the operand's table, or a store into its segment.
  uint32_t addLoad(size_t operand) const;
  uint32_t addStore(size_t operand) const;

  /// One share for each operand with Placement::Shared, in operand order.
  const std::vector<FetchShare> &shares() const { return shares_; }
  bool any() const { return !shares_.empty(); }
  /// Declares, at the top of the kernel, the pointers "fFrom" and "fTo" to the begin of this
  /// thread's share in the table and in the segment.
  void declarePointers();
  /// Opens a condition if some threads fetch nothing of an even share. Returns the number of braces
  /// opened, 0 or 1.
  size_t openBusy(const FetchShare &share) const;
  /// Opens the loops over this thread's vectors of an even share and, if some threads fetch
  /// nothing, a condition. Returns the number of braces opened. Outer loops are unrolled only as
  /// long as one body holds at most `mostVectors` vectors.
  size_t openLoops(const FetchShare &share, EntryEmitter &text, uint64_t mostVectors) const;
  /// The name of the loop over this thread's part of a slot; slots of one axis get different names.
  std::string loopName(const FetchShare &share, size_t slot) const;
  /// The index of a slot of an uneven share: "position / 8 % 4".
  std::string positionIndex(const FetchShare &share, size_t slot) const;
  /// The index of every axis at the first entry of a vector; page axes keep their loop variables.
  IndexNames slotNames(const FetchShare &share) const;

private:
  std::string threadIndex(const FetchShare &share, size_t slot) const;

  const Nest &nest_;
  const EntryEmitter &text_;
  CodeWriter &out_;
  SiteTable &sites_;
  std::vector<FetchShare> shares_;
};

} // namespace mpf
