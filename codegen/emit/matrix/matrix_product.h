// Prints the innermost part of a matrix kernel: loads of fragments from a page's segments, and the
// matrix instructions.
#pragma once

#include "codegen/emit/nest/site.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "dsl/support/code_writer.h"

#include <string>

namespace mpf {

/// A page consists of instruction steps (matrixSteps in matrix_shape.h); `step` is the text of the
/// current one's number. Fragments are in the arrays rowsHeld and columnsHeld. Plans with
/// doubleBufferedFragments have two of each; `parity` is the text of the index that selects one.
class MatrixProductEmitter {
public:
  /// The arguments must outlive the emitter.
  MatrixProductEmitter(const MatrixPlan &plan, CodeWriter &out, SiteTable &sites);

  /// Declares rowsSeg and columnsSeg, the lane's pointers into the first stage of each segment, and
  /// sets acc to 0. Needs the names octet, quad, warpRow, warpColumn and shared of emit_matrix.cpp.
  void declare();
  /// Declares the arrays: `parities` of each or, if that is 0, one without that index.
  void declareFragments(uint32_t parities);
  /// Declares the lane's pointers into a page, rows<suffix> and columns<suffix>. `stage` is the
  /// stage that holds the page; a stationary side uses the number `page` instead.
  void declarePage(const std::string &suffix, const std::string &stage, const std::string &page);
  /// The offset of stage `stage` (or page, if the side is stationary) from the first one.
  static std::string stageText(const MatrixSide &side, const std::string &stage);
  /// Loads the fragments of `step` (a literal or a name) from the page declared with `suffix`.
  void load(const std::string &suffix, const std::string &step, const std::string &parity);
  /// Prints acc += rowsHeld * columnsHeld.
  void multiply(const std::string &parity);

private:
  uint64_t rowUnits() const { return warpTile(plan_.rows) / 16; }
  uint64_t columnUnits() const { return warpTile(plan_.columns) / 16; }
  /// f32: entries are split into a high and a low TF32 part (MatrixInstruction).
  bool takesHalves() const { return plan_.type == ElementType::F32; }
  void close(int count);
  void declareSegment(const MatrixSide &side, const char *name, const char *warp);
  void loadHalves(const MatrixSide &side, const std::string &page, const std::string &step,
                  const char *unit, uint32_t site);

  const MatrixPlan &plan_;
  std::string element_;
  uint64_t groups_; ///< groups of eight terms per instruction, at least one
  CodeWriter &out_;
  uint32_t rowsSite_ = 0, columnsSite_ = 0;
};

} // namespace mpf
