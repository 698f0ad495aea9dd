// Prints the fetch of one side of a matrix product into its segment. A side of a single operand is
// copied asynchronously. A *formed* side (isFormed in matrix_shape.h: products of operands, or
// mantissas of logarithms) is loaded into registers and stored to the segment later.
#pragma once

#include "codegen/emit/nest/op_emitter.h"
#include "codegen/emit/nest/site.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "dsl/support/code_writer.h"

#include <string>
#include <vector>

namespace mpf {

/// Prints into `out`; not thread-safe. The plan must outlive it.
class MatrixFetch {
public:
  /// `side`: plan.rows or plan.columns.
  MatrixFetch(const MatrixPlan &plan, const MatrixSide &side, CodeWriter &out, SiteTable &sites);

  bool isFormed() const { return mpf::isFormed(plan_, side_); }
  /// Declares this thread's share: indices, pointers and offsets that are the same for all pages.
  /// For formed sides also the registers, and loads the operands that are the same for all terms.
  void declare();
  /// Copied sides: copies page `page` into the stage that starts at `stageOffset` elements.
  void copy(const std::string &page, const std::string &stageOffset);
  /// Formed sides: load() loads the operands of a page into registers; store() forms the entries
  /// and stores them into the stage.
  void load(const std::string &page);
  void store(const std::string &page, const std::string &stageOffset);

private:
  struct Source {
    uint32_t operand = 0;
    std::string name;
    std::vector<FusedPart> side, terms;
    bool pair = false;      ///< one load brings both entries of a pair
    bool alongFast = false; ///< its value changes with the thread's fast index
    bool alongSlow = false; ///< its value changes with the thread's slow index
    bool everyPage = false; ///< its value changes with the terms
    uint32_t site = 0;
  };

  void openShare();
  void closeShare();
  void openCount();
  void declareSource(const Source &source);
  void loadSource(const Source &source, const std::string &page);
  std::string pagePointer(const Source &source, const std::string &page) const;
  std::string entryIndex(const Source &source, const std::string &page) const;
  std::string acrossIndex() const; ///< "rowsSlow + j * 32"
  std::string insideText(const std::string &page, bool sideToo, bool termsToo, uint32_t lane) const;
  void splitOff(const Source &source);
  void declareInto(const std::string &stageOffset);
  std::string storedAt() const;
  uint64_t heldElems(const Source &source) const;
  std::string heldIndex(const Source &source, uint32_t lane) const;
  const std::vector<FusedPart> &acrossParts(const Source &source) const {
    return side_.alongTerms ? source.side : source.terms;
  }

  const MatrixPlan &plan_;
  const MatrixSide &side_;
  std::string name_, base_, type_; ///< type_: the type of indices
  OpEmitter ops_;
  CodeWriter &out_;
  MatrixShare share_;
  MatrixCounts counts_;
  std::vector<Source> sources_;
  uint32_t storeSite_ = 0;
};

} // namespace mpf
