// Which loops have to end before others begin: whoever reads a sum over a loop waits for its end.
#pragma once

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Sets are masks: bit k - 1 for loop k. Operations are noted in an order in which each comes after
/// those it reads. Not thread-safe.
class LoopDependencies {
public:
  /// Operations of `program` that were not noted so far; its loops as `levels` has them. Operations
  /// may be added between two calls, and loops inside those that are there.
  void note(const TableProgram &program, const SliceLevels &levels);

  /// The loops whose sums a table was made of, directly or not.
  uint64_t ended(TableId table) const {
    return table.index() < ended_.size() ? ended_[table.index()] : 0;
  }
  /// The loops whose sums are read inside of one, but for those that are inside it themselves.
  uint64_t of(uint32_t loop) const { return loop < needs_.size() ? needs_[loop] : 0; }
  /// What is made of these sums will be read inside `loop`.
  void add(uint32_t loop, uint64_t ended, const LoopTree &tree);
  /// Sums over `loop` are in `sums` or in what their loops need, and so on.
  bool reaches(uint64_t sums, uint32_t loop) const;

private:
  void growTo(const LoopTree &tree);

  size_t noted_ = 0;            ///< operations
  std::vector<uint64_t> ended_; ///< by table
  // By loop, from 1:
  std::vector<uint64_t> needs_, within_; ///< within: itself and all inside it
};

} // namespace mpf
