// CUDA text of a matrix product's inner part: fragments from a page's segments, instructions.
#pragma once

#include "codegen/emit/nest/site.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "dsl/support/code_writer.h"

#include <string>

namespace mpf {

/// Instruction steps follow one another in a page; `step` is the name of the one at hand. Fragments
/// stand in the arrays rowsHeld and columnsHeld, two of each where plans run ahead.
class MatrixProductEmitter {
public:
  /// References are kept.
  MatrixProductEmitter(const MatrixPlan &plan, CodeWriter &out, SiteTable &sites);

  /// rowsSeg and columnsSeg: the lane's place in a segment's first stage; acc = 0. Needs the names
  /// octet, quad, warpRow, warpColumn, shared of emit_matrix.cpp.
  void declare();
  /// The arrays, `parities` of each or, where that is 0, without that index.
  void declareFragments(uint32_t parities);
  /// `suffix` of rowsSuffix and columnsSuffix: the lane's place in `page`, which is in `stage`.
  void declarePage(const std::string &suffix, const std::string &stage, const std::string &page);
  /// What follows the stage's number: offsets of its segments' pages from the first one's.
  static std::string stageText(const MatrixSide &side, const std::string &stage);
  /// Fragments of a step, a literal or name, from the page declared with `suffix`.
  void load(const std::string &suffix, const std::string &step, const std::string &parity);
  /// acc += rowsHeld * columnsHeld
  void multiply(const std::string &parity);

private:
  uint64_t rowUnits() const { return warpTile(plan_.rows) / 16; }
  uint64_t columnUnits() const { return warpTile(plan_.columns) / 16; }
  /// f32: products of TF32 halves of the entries.
  bool takesHalves() const { return plan_.type == ElementType::F32; }
  void close(int count);
  void declareSegment(const MatrixSide &side, const char *name, const char *warp);
  void loadHalves(const MatrixSide &side, const std::string &page, const std::string &step,
                  const char *unit, uint32_t site);

  const MatrixPlan &plan_;
  std::string element_;
  uint64_t groups_; ///< of eight terms in one instruction, at least one
  CodeWriter &out_;
  uint32_t rowsSite_ = 0, columnsSite_ = 0;
};

} // namespace mpf
