// Prints the stores of a matrix kernel. Results go through shared memory, eight rows of each warp's
// tile at a time, so that the lanes of a warp store whole rows (MatrixStore in matrix_shape.h).
// With stores directly from the accumulators, a request would be eight pieces of 64 bytes. If
// columns do not come in pairs, every entry would be a separate request.
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
  /// `rescale` is the function that converts an accumulator to an entry (linear plans only). The
  /// references must outlive the emitter.
  MatrixStoreEmitter(const MatrixPlan &plan, std::string rescale, CodeWriter &out,
                     SiteTable &sites);
  /// Stores the accumulators `acc` to the result. Needs the names of emit_matrix.cpp: batch,
  /// rowBase, columnBase, warpRow, warpColumn, octet, quad, range, shared. In log form it also
  /// needs those of writeFormDecision (kernel_frame.h).
  void write();

private:
  void declare();
  void stage();
  void storeRows();
  std::string turnText(uint64_t stride, const char *literal) const;
  void makeEntry();
  void formAgain();
  std::string rowText() const; ///< index of the current one of the warp's rows
  std::string guard(const std::string &column) const;
  std::string vectorText(uint32_t width) const;

  const MatrixPlan &plan_;
  const MatrixStore store_;
  const MatrixCounts counts_;
  std::string rescale_;
  OpEmitter ops_;
  std::string index_;                 ///< the type of offsets
  std::optional<uint64_t> rowStride_; ///< stride of rows in the result, if the same for all rows
  uint64_t rowStep_;                  ///< rows from one octet to the next
  CodeWriter &out_;
  uint32_t stageSite_ = 0, readSite_ = 0, resultSite_ = 0, markSite_ = 0, againSite_ = 0;
  std::vector<uint32_t> operandSites_; ///< loads of sums that are recomputed (formAgain)
};

} // namespace mpf
