// CUDA text of a matrix product's pages: fetched ahead, multiplied, one after another.
#pragma once

#include "codegen/emit/matrix/matrix_fetch.h"
#include "codegen/emit/matrix/matrix_product.h"

#include <string>

namespace mpf {

/// Pages come and go, copied `stages - 1` pages ahead or loaded and formed one ahead; those of a
/// side that stays are all there. Texts need the names of emit_matrix.cpp: shared, batch, rowBase,
/// columnBase, lanes.
class MatrixPagesEmitter {
public:
  /// References are kept.
  MatrixPagesEmitter(const MatrixPlan &plan, CodeWriter &out, SiteTable &sites);

  /// Where the tile's operands are, of sides that come and go; `copied`: only of asynchronous ones.
  void declareFetches(bool copied);
  /// The loop over all pages of the tile, for blocks that compute one tile each.
  void tile();

  /// The same in pieces, for blocks that go from tile to tile. First the stages' numbers, once.
  void declareStages();
  bool copies() const { return copies_; } ///< asynchronous copies of pages that come and go
  /// Copies of a tile's first pages into the stages that are read next; `guard`: whether it is one.
  void emitPrefetch(const std::string &guard);
  /// All pages of the stationary side, if `due`; its places are declared there.
  void fetchResident(const std::string &due);
  /// A tile whose first pages have been asked for.
  void askedTile();

private:
  bool streams(const MatrixFetch &fetch) const { return !sideOf(fetch).stationary; }
  const MatrixSide &sideOf(const MatrixFetch &fetch) const;
  void copyPage(const std::string &page, const std::string &stage);
  void loadPage(const std::string &page);
  void storePage(const std::string &page, const std::string &stage);
  void onePage();
  void emitPrologue();
  void pageLoop();
  void plainPages();
  void pagesOfFragmentsAhead();
  void multiplyAhead(const std::string &page, bool more);
  void multiply(const std::string &stage, bool fetches);
  void fetchAhead();
  void openPages(uint64_t count);
  void arrive();
  void advance();

  const MatrixPlan &plan_;
  const bool forms_, copies_; ///< pages that come and go
  const MatrixCounts counts_;
  std::string type_;
  CodeWriter &out_;
  MatrixFetch rows_, columns_;
  MatrixProductEmitter product_;
};

} // namespace mpf
