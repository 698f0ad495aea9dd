// The part of a chain kernel inside the registers of a thread: loads and stores of tiles, factors,
// steps. emit_chain.cpp prints what is around it.
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

/// Prints into `out`; sites are added in the order of the text. Not thread-safe.
class ChainEmitter {
public:
  ChainEmitter(const ChainPlan &plan, CodeWriter &out, SiteTable &sites);

  const OpEmitter &ops() const { return ops_; }
  std::string indexType() const; ///< of page and thread indices

  /// Offset of the named parts in a table or an image.
  LinearAddress offsetOf(const std::vector<uint32_t> &parts,
                         const std::vector<uint64_t> &strides) const;
  /// "#pragma unroll" and a loop; close it with out.close().
  void openLoop(const std::string &index, uint64_t extent, uint64_t step = 1);
  /// One access: registers[flat ..) = source, in log form where `form` names the table's.
  void load(const std::string &registers, const std::string &flat, const std::string &source,
            uint32_t vector, uint32_t site, const std::string &form);
  void store(const std::string &target, const std::string &registers, const std::string &flat,
             uint32_t vector, uint32_t site);

  /// Entries of the factors of `step` that this thread needs.
  void loadFactors(size_t phase, size_t step);
  /// tile <step> = image, through the pointer "from".
  void loadTile(size_t phase);
  /// tile <step + 1> = reduce(tile <step> * factors).
  void computeStep(size_t phase, size_t step);
  /// Tile at the end of `phase` into the next image, through the pointer "to".
  void writeTile(size_t phase);
  /// Tile at the end of the last phase into the result, through the pointer "to".
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
