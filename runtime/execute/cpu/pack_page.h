// One page of the tile path in packed form: the products of each group's operands, formed while
// they are copied (Van Zee and van de Geijn, "BLIS: A framework for rapidly instantiating BLAS
// functionality", section 3), in panels as the register tiles read them.
//
// Log form: the logarithms of a group are added. For a sum each packed entry then becomes a
// mantissa (scaled_log_sum.h).
#pragma once

#include "runtime/execute/cpu/cpu_run.h"
#include "runtime/execute/cpu/scaled_log_sum.h"

namespace mpf {

/// Where the present page lies in every table.
struct TilePageAt {
  std::array<uint64_t, kMaxSlots> base{}; ///< of operands; without what the page's digits add
  size_t rows = 0, columns = 0, depth = 0;
  friend bool operator==(const TilePageAt &, const TilePageAt &) = default;
};

/// Which operands of a sum of logarithms share an exponent: those packed together.
template <class T> ScaledLogSum splitOfTiles(const RunArgs<T> &args);

template <class T> class PagePacker {
public:
  /// Fills the offsets of the page's digits. `args` and `scratch` must outlive the packer.
  PagePacker(const RunArgs<T> &args, Scratch<T> &scratch, size_t tallest,
             const ScaledLogSum &split);

  /// Makes the groups valid for this page; what did not change stays as it is.
  void load(const TilePageAt &page);

  /// a, b and c of the tile of this height at this row and column of the loaded page. The operands
  /// of the rows are packed for tiles of nextTileHeight().
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
    bool direct = false; ///< whole tiles of columns are read where they lie
    size_t operand = 0;  ///< then: the only one
    uint64_t step = 0;   ///< then: from one k to the next
    bool loaded = false;
    TilePageAt at; ///< what is packed; base of other groups' operands 0
  };

  void measureRuns();
  void chooseDirect(TileGroup group);
  TilePageAt keyOf(TileGroup group, const TilePageAt &page) const;
  void packRows();
  void packColumns(const Group &group);
  void packFaces(const Group &group);
  /// Columns of a packed panel: those of a tile, or all where that is little memory, so that the
  /// start of a panel is paid once. Direct groups pack only what is left of a tile's columns.
  size_t panelWidth(const Group &group) const;
  size_t firstPacked(const Group &group) const;
  /// One panel: every operand of the group. `row`: of faces.
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
