// One page of the tile path in packed form. The operands of each group are multiplied while they
// are copied to panels in the order in which the register tiles read them. (Van Zee and van de
// Geijn, "BLIS: A framework for rapidly instantiating BLAS functionality", section 3.)
//
// Log form adds the logarithms of a group. For a sum each packed entry then becomes a mantissa
// (scaled_log_sum.h).
#pragma once

#include "runtime/execute/cpu/cpu_run.h"
#include "runtime/execute/cpu/scaled_log_sum.h"

namespace mpf {

/// The place of the current page in every table.
struct TilePageAt {
  std::array<uint64_t, kMaxSlots> base{}; ///< offset of the page in each operand
  size_t rows = 0, columns = 0, depth = 0;
  friend bool operator==(const TilePageAt &, const TilePageAt &) = default;
};

/// Returns the exponents of a sum of logarithms; operands that are packed together share one.
template <class T> ScaledLogSum splitOfTiles(const RunArgs<T> &args);

template <class T> class PagePacker {
public:
  /// Fills the offsets of the page's digits. `args` and `scratch` must outlive the packer.
  PagePacker(const RunArgs<T> &args, Scratch<T> &scratch, size_t tallest,
             const ScaledLogSum &split);

  /// Packs the groups for this page; groups that are still valid stay.
  void load(const TilePageAt &page);

  /// Sets a, b and c of the tile of this height at this row and column of the loaded page. The
  /// operands of the rows are packed for tiles of nextTileHeight().
  void place(size_t row, size_t column, size_t height, TileArgs<T> &tile) const;

  bool near() const { return near_; }

  const uint64_t *rowOffsets(size_t slot) const {
    return scratch_.tileOffsets[0].data() + slot * shape_.rows.elems;
  }
  const uint64_t *columnOffsets(size_t slot) const {
    return scratch_.tileOffsets[1].data() + slot * shape_.columns.elems;
  }
  const uint64_t *depthOffsets(size_t slot) const {
    return scratch_.tileOffsets[2].data() + slot * shape_.depth.elems;
  }

private:
  struct Group {
    bool direct = false; ///< whole tiles of columns are read in place
    size_t operand = 0;  ///< if direct: the only operand
    uint64_t step = 0;   ///< if direct: distance from one k to the next
    bool loaded = false;
    TilePageAt at; ///< the packed page; `base` is 0 for operands of other groups
  };

  void measureRuns();
  void chooseDirect(TileGroup group);
  TilePageAt keyOf(TileGroup group, const TilePageAt &page) const;
  void packRows();
  void packColumns(const Group &group);
  void packFaces(const Group &group);
  /// Returns the columns of a packed panel: those of a tile, or all if they need little memory, so
  /// that only one panel is started. Direct groups pack only the columns behind whole tiles.
  size_t panelWidth(const Group &group) const;
  size_t firstPacked(const Group &group) const;
  /// Packs one panel with every operand of the group. `row`: the row of faces.
  void packPanel(TileGroup group, size_t along, size_t row, size_t valid, size_t width, T *panel);
  void packOperand(size_t slot, PackMode mode, size_t along, size_t row, size_t valid, size_t width,
                   T *panel) const;

  const T *entriesAt(size_t slot) const { return args_.entries[slot] + page_.base[slot]; }
  bool inGroup(size_t slot, TileGroup group) const { return shape_.groups[slot] == group; }

  const CpuOperation &op_;
  const TileShape &shape_;
  const CpuKernels<T> &kernels_;
  const RunArgs<T> &args_;
  Scratch<T> &scratch_;
  size_t tallest_;
  bool plus_;         ///< entries combine by addition
  bool near_ = false; ///< columns times terms of the loaded page stay in the first-level cache
  ScaledLogSum split_;
  TilePageAt page_;
  std::array<Group, kTileGroups> groups_;
  std::array<EvenRun, kMaxBundleOperands> along_{}, deep_{}; ///< by operand
  std::array<uint64_t, TilePage::kFaceRows> faceRows_{};     ///< offsets of packed rows of faces
};

} // namespace mpf
