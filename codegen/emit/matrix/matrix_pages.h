// Prints the page loop of a matrix kernel: fetch of later pages, product of the current page.
#pragma once

#include "codegen/emit/matrix/matrix_fetch.h"
#include "codegen/emit/matrix/matrix_product.h"

#include <string>

namespace mpf {

/// Pages of a copied side are copied `stages - 1` pages ahead; pages of a formed side are loaded
/// one page ahead. All pages of a stationary side are in shared memory before the loop. The printed
/// text uses names that emit_matrix.cpp declares: shared, batch, rowBase, columnBase, lanes.
class MatrixPagesEmitter {
public:
  /// The arguments must outlive the emitter.
  MatrixPagesEmitter(const MatrixPlan &plan, CodeWriter &out, SiteTable &sites);

  /// Declares the current tile's pointers and offsets for the sides that are not stationary; with
  /// `copied`, only for those that are copied asynchronously.
  void declareFetches(bool copied);
  /// Plans that are not persistent: prints all pages of the block's tile.
  void tile();

  // Persistent plans print a tile in pieces:
  /// Declares the numbers of the stages, once per kernel.
  void declareStages();
  bool copies() const { return copies_; } ///< a side that is not stationary is copied
  /// Starts the copies of a tile's first pages into the stages that are read next. `guard` opens
  /// the condition that there is such a tile.
  void emitPrefetch(const std::string &guard);
  /// Fetches all pages of the stationary side if the condition `due` holds, and declares its
  /// pointers.
  void fetchStationary(const std::string &due);
  /// Prints all pages of a tile whose first pages emitPrefetch has started to copy.
  void prefetchedTile();

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
  const bool forms_, copies_; ///< a side that is not stationary is formed, is copied
  const MatrixCounts counts_;
  std::string type_;
  CodeWriter &out_;
  MatrixFetch rows_, columns_;
  MatrixProductEmitter product_;
};

} // namespace mpf
