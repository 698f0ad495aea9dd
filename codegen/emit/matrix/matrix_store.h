// How results of family mma leave: through shared memory, eight rows of each warp's tile at a time,
// so that the lanes of a warp store whole rows of its tile (MatrixStore). As the fragments have
// them a request would be eight pieces of 64 bytes, and of columns that do not come in pairs every
// entry a request of its own.
#pragma once

#include "codegen/emit/nest/op_emitter.h"
#include "codegen/emit/nest/site.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "dsl/support/code_writer.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

class MatrixStoreEmitter {
public:
  /// `rescale`: the function that makes an accumulator an entry, of linear plans. References are
  /// kept.
  MatrixStoreEmitter(const MatrixPlan &plan, std::string rescale, CodeWriter &out,
                     SiteTable &sites);
  /// From the accumulators `acc` to the result; needs the names of emit_matrix.cpp: batch, rowBase,
  /// columnBase, warpRow, warpColumn, octet, quad, range, shared; of logarithms those of
  /// writeFormDecision (kernel_frame.h).
  void write();

private:
  void declare();
  void stage();
  void storeRows();
  std::string turnText(uint64_t stride, const char *literal) const;
  void makeEntry();
  void formAgain();
  std::string rowText() const; ///< of the warp's rows
  std::string guard(const std::string &column) const;
  std::string vectorText(uint32_t width) const;

  const MatrixPlan &plan_;
  const MatrixStore store_;
  const MatrixCounts counts_;
  std::string rescale_;
  OpEmitter ops_;
  std::string index_;                 ///< the type of offsets
  std::optional<uint64_t> rowStride_; ///< of the result, where it is the same for all rows
  uint64_t rowStep_;                  ///< rows from one octet to the next
  CodeWriter &out_;
  uint32_t stageSite_ = 0, readSite_ = 0, resultSite_ = 0, markSite_ = 0, againSite_ = 0;
  std::vector<uint32_t> operandSites_; ///< of sums formed again
};

} // namespace mpf
