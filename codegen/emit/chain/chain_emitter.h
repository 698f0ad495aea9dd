// Prints the part of a chain kernel (chain_plan.h) that works in the registers of a thread. This
// part loads and stores tiles, loads factors and computes steps. emit_chain.cpp prints the rest.
#pragma once

#include "codegen/emit/nest/address_emitter.h"
#include "codegen/emit/nest/fragment.h"
#include "codegen/emit/nest/op_emitter.h"
#include "codegen/emit/nest/site.h"
#include "codegen/kernel/plan/chain_plan.h"
#include "dsl/support/code_writer.h"

#include <functional>
#include <string>
#include <vector>

namespace mpf {

/// Prints into `out` and adds access sites to `sites`, in the order of the text. The arguments must
/// outlive it. Not thread-safe.
class ChainEmitter {
public:
  ChainEmitter(const ChainPlan &plan, CodeWriter &out, SiteTable &sites);

  const OpEmitter &ops() const { return ops_; }
  std::string indexType() const; ///< type of page and thread indices

  /// Offset of the named parts in a table or an image.
  LinearAddress offsetOf(const std::vector<uint32_t> &parts,
                         const std::vector<uint64_t> &strides) const;
  /// Prints "#pragma unroll" and opens a loop; close it with out.close().
  void openLoop(const std::string &index, uint64_t extent, uint64_t step = 1);
  /// Prints one load: registers[flat ..) = source. Where `form` is not empty, it names the table's
  /// form, and the entries are converted to logarithms.
  void load(const std::string &registers, const std::string &flat, const std::string &source,
            uint32_t vector, uint32_t site, const std::string &form);
  void store(const std::string &target, const std::string &registers, const std::string &flat,
             uint32_t vector, uint32_t site);

  /// Loads the entries of the factors of `step` that this thread needs.
  void loadFactors(size_t phase, size_t step);
  /// Loads the tile of the phase's first step from its image, through the pointer "from".
  void loadTile(size_t phase);
  /// Prints step `step`: tile <step + 1> = reduce(tile <step> * factors).
  void computeStep(size_t phase, size_t step);
  /// Writes the tile at the end of `phase` to the next image, through the pointer "to".
  void writeTile(size_t phase);
  /// Stores the tile at the end of the last phase to the result, through the pointer "to".
  void storeResult();

private:
  using Names = std::vector<uint32_t>; ///< parts, nearest first
  Fragment layOut(const Names &parts, const std::vector<uint64_t> &strides, uint32_t vector) const;
  /// Opens the loops over a fragment, calls access(offset, flat), closes them.
  void walk(const Fragment &fragment,
            const std::function<void(const std::string &offset, const std::string &flat)> &access);
  std::string flatIndex(const Names &parts) const;
  uint64_t elems(const Names &parts) const;
  std::string product(size_t phase, size_t step);

  const ChainPlan &plan_;
  CodeWriter &out_;
  SiteTable &sites_;
  OpEmitter ops_;
};

} // namespace mpf
