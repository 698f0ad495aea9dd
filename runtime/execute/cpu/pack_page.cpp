#include "runtime/execute/cpu/pack_page.h"

#include <algorithm>

namespace mpf {

namespace {

/// Limits below which vectors do not pay: length of runs, and number of rows to transpose.
constexpr uint64_t kShortAlong = 8, kShortDeep = 4, kFewAcross = 3;

template <class T, PackMode Mode> void gather(const PackArgs<T> &p) {
  for (size_t k = 0; k < p.depth; ++k) {
    const T *from = p.from + p.deep[k];
    T *to = p.panel + k * p.width;
    for (size_t i = 0; i < p.valid; ++i) {
      const T entry = from[p.along[i]];
      if constexpr (Mode == PackMode::Multiply)
        to[i] *= entry;
      else if constexpr (Mode == PackMode::Add)
        to[i] += entry;
      else
        to[i] = entry;
    }
  }
}

} // namespace

template <class T> ScaledLogSum splitOfTiles(const RunArgs<T> &args) {
  const TileShape &shape = *args.op->tiles;
  std::array<size_t, kTileGroups> place{};
  size_t count = 0;
  for (size_t group = 0; group < kTileGroups; ++group)
    place[group] = shape.present[group] ? count++ : 0;
  ScaledLogSum split = splitSum(
      {args.states.data(), args.op->operandCount}, count,
      [&](size_t s) { return place[static_cast<size_t>(shape.groups[s])]; }, args.op->termsLog2,
      kElementType<T>);
  const auto exponents = split.exponents;
  for (size_t group = 0; group < kTileGroups; ++group)
    split.exponents[group] = exponents[place[group]];
  return split;
}

template <class T>
PagePacker<T>::PagePacker(const RunArgs<T> &args, Scratch<T> &scratch, size_t tallest,
                          const ScaledLogSum &split)
    : op_(*args.op), shape_(*args.op->tiles), kernels_(*args.kernels), args_(args),
      scratch_(scratch), tallest_(tallest), plus_(!op_.scaled), split_(split) {
  for (size_t s = 0; s < op_.slotCount(); ++s) {
    const bool result = s == op_.operandCount;
    const auto fill = [&](const PageDigits &page, ZeroedArray<uint64_t> &offsets) {
      fillOffsets(page.digits, s, offsets.data() + s * page.elems);
    };
    fill(shape_.rows, scratch_.tileOffsets[0]);
    fill(shape_.columns, scratch_.tileOffsets[1]);
    if (!result)
      fill(shape_.depth, scratch_.tileOffsets[2]);
  }
  // A group without operands has mantissas 1, or logarithms 0.
  const bool sums = op_.semiring == StoredSemiring::SumTimes;
  std::fill(scratch_.neutral.begin(), scratch_.neutral.end(),
            plus_ || (args.log && !sums) ? T{0} : T{1});
  measureRuns();
  chooseDirect(TileGroup::Columns);
  chooseDirect(TileGroup::Faces);
}

template <class T> void PagePacker<T>::measureRuns() {
  for (size_t s = 0; s < op_.operandCount; ++s) {
    along_[s] =
        evenRun(inGroup(s, TileGroup::Rows) ? shape_.rows.digits : shape_.columns.digits, s);
    deep_[s] = evenRun(shape_.depth.digits, s);
  }
}

template <class T> void PagePacker<T>::chooseDirect(TileGroup group) {
  Group &to = groups_[static_cast<size_t>(group)];
  size_t operands = 0;
  for (size_t s = 0; s < op_.operandCount; ++s)
    if (inGroup(s, group)) {
      ++operands;
      to.operand = s;
    }
  const EvenRun &along = along_[to.operand], &deep = deep_[to.operand];
  if (args_.log || operands != 1 || along.step != 1 || along.count < shape_.columns.elems)
    return;
  to.step = deep.step;
  // Columns that many tiles read are packed, so that they are in one piece of memory.
  to.direct = deep.count == shape_.depth.elems &&
              (group == TileGroup::Faces || shape_.rows.elems <= TilePage::kDirectTiles * tallest_);
}

template <class T> TilePageAt PagePacker<T>::keyOf(TileGroup group, const TilePageAt &page) const {
  TilePageAt key;
  for (size_t s = 0; s < op_.operandCount; ++s)
    key.base[s] = inGroup(s, group) ? page.base[s] : 0;
  key.rows = group == TileGroup::Columns ? 0 : page.rows;
  key.columns = group == TileGroup::Rows ? 0 : page.columns;
  key.depth = page.depth;
  return key;
}

template <class T> void PagePacker<T>::load(const TilePageAt &page) {
  page_ = page;
  near_ = TilePage::isNear(page.columns, page.depth, sizeof(T));
  for (size_t g = 0; g < kTileGroups; ++g) {
    if (!shape_.present[g])
      continue;
    const auto group = static_cast<TileGroup>(g);
    Group &to = groups_[g];
    const TilePageAt key = keyOf(group, page);
    if (to.loaded && to.at == key)
      continue;
    if (group == TileGroup::Rows)
      packRows();
    else if (group == TileGroup::Columns)
      packColumns(to);
    else
      packFaces(to);
    to.loaded = true;
    to.at = key;
  }
}

template <class T> void PagePacker<T>::packRows() {
  T *packed = scratch_.packed[0].data();
  for (size_t i = 0; i < page_.rows;) {
    const size_t height = nextTileHeight(page_.rows - i, tallest_);
    const size_t valid = std::min(height, page_.rows - i);
    packPanel(TileGroup::Rows, i, 0, valid, height, packed + i * page_.depth);
    i += valid;
  }
}

template <class T> size_t PagePacker<T>::panelWidth(const Group &group) const {
  const size_t width = kernels_.tileColumns;
  return near_ && !group.direct ? (page_.columns + width - 1) / width * width : width;
}

template <class T> size_t PagePacker<T>::firstPacked(const Group &group) const {
  return group.direct ? page_.columns / kernels_.tileColumns * kernels_.tileColumns : 0;
}

template <class T> void PagePacker<T>::packColumns(const Group &group) {
  const size_t width = panelWidth(group), from = firstPacked(group);
  for (size_t j = from; j < page_.columns; j += width)
    packPanel(TileGroup::Columns, j, 0, std::min(width, page_.columns - j), width,
              scratch_.packed[1].data() + (j - from) * page_.depth);
}

template <class T> void PagePacker<T>::packFaces(const Group &group) {
  const size_t width = panelWidth(group), from = firstPacked(group);
  for (size_t i = 0; i < page_.rows; ++i)
    faceRows_[i] = i * page_.depth * width;
  for (size_t j = from; j < page_.columns; j += width)
    for (size_t i = 0; i < page_.rows; ++i)
      packPanel(TileGroup::Faces, j, i, std::min(width, page_.columns - j), width,
                scratch_.packed[2].data() + (j - from) * page_.depth * page_.rows + faceRows_[i]);
}

template <class T>
void PagePacker<T>::packPanel(TileGroup group, size_t along, size_t row, size_t valid, size_t width,
                              T *panel) {
  bool first = true;
  const size_t entries = width * page_.depth;
  for (size_t s = 0; s < op_.operandCount; ++s) {
    if (!inGroup(s, group))
      continue;
    if (!args_.log) {
      const PackMode mode = first ? PackMode::Copy : plus_ ? PackMode::Add : PackMode::Multiply;
      packOperand(s, mode, along, row, valid, width, panel);
    } else {
      T *to = first ? panel : scratch_.panel.data();
      packOperand(s, PackMode::Copy, along, row, valid, width, to);
      if (!args_.isLog[s])
        kernels_.log2Abs(to, to, entries);
      if (!first)
        kernels_.combine[static_cast<size_t>(StoredSemiring::MaxPlus)](panel, panel, to, entries);
    }
    first = false;
  }
  if (args_.log && op_.semiring == StoredSemiring::SumTimes)
    kernels_.exp2Shifted(panel, panel, static_cast<T>(split_.exponents[static_cast<size_t>(group)]),
                         entries);
}

template <class T>
void PagePacker<T>::packOperand(size_t slot, PackMode mode, size_t along, size_t row, size_t valid,
                                size_t width, T *panel) const {
  const bool rows = inGroup(slot, TileGroup::Rows);
  const size_t how = static_cast<size_t>(mode);
  PackArgs<T> p;
  p.from = entriesAt(slot) + (rows ? 0 : rowOffsets(slot)[row]);
  p.along = (rows ? rowOffsets(slot) : columnOffsets(slot)) + along;
  p.deep = depthOffsets(slot);
  p.valid = valid;
  p.width = width;
  p.depth = page_.depth;
  p.panel = panel;
  const EvenRun &even = along_[slot], &deep = deep_[slot];
  // Runs that end inside most vectors are as slow as single entries.
  const size_t whole = rows ? shape_.rows.elems : shape_.columns.elems;
  const bool longRuns =
      even.count >= kernels_.tileColumns || (even.count == whole && whole >= kShortAlong);
  if (longRuns && even.step <= kPackSteps &&
      (even.step <= 1 || deep.step != 1 || deep.count < kShortDeep)) {
    for (size_t i = 0; i < valid; i += p.valid) {
      p.along = (rows ? rowOffsets(slot) : columnOffsets(slot)) + along + i;
      p.valid = std::min<size_t>(valid - i, even.count - (along + i) % even.count);
      p.panel = panel + i;
      kernels_.pack.along[even.step][how](p);
    }
  } else if (deep.step == 1 && deep.count >= kShortDeep && valid >= kFewAcross) {
    for (size_t k = 0; k < page_.depth; k += p.depth) {
      p.deep = depthOffsets(slot) + k;
      p.depth = std::min<size_t>(page_.depth - k, deep.count);
      p.panel = panel + k * width;
      kernels_.pack.across[how](p);
    }
  } else if (mode == PackMode::Copy) {
    gather<T, PackMode::Copy>(p);
  } else if (mode == PackMode::Multiply) {
    gather<T, PackMode::Multiply>(p);
  } else {
    gather<T, PackMode::Add>(p);
  }
}

template <class T>
void PagePacker<T>::place(size_t row, size_t column, size_t height, TileArgs<T> &tile) const {
  const bool whole = column + kernels_.tileColumns <= page_.columns;
  tile.a = scratch_.neutral.data();
  if (shape_.present[0]) {
    tile.a = scratch_.packed[0].data() + row * page_.depth;
    tile.aStep = height;
  }
  // The columns in the panels before the tile's panel.
  const auto before = [&](const Group &group, size_t width) {
    return (column - firstPacked(group)) / width * width;
  };
  const Group &columns = groups_[1], &faces = groups_[2];
  if (!shape_.present[1]) {
    tile.b = scratch_.neutral.data();
    tile.bStep = 0;
  } else if (columns.direct && whole) {
    tile.b = entriesAt(columns.operand) + column;
    tile.bStep = columns.step;
  } else {
    tile.bStep = panelWidth(columns);
    const size_t panels = before(columns, tile.bStep);
    tile.b =
        scratch_.packed[1].data() + panels * page_.depth + (column - firstPacked(columns) - panels);
  }
  if (!shape_.present[2])
    return;
  if (faces.direct && whole) {
    tile.c = entriesAt(faces.operand) + column;
    tile.cRows = rowOffsets(faces.operand) + row;
    tile.cStep = faces.step;
  } else {
    tile.cStep = panelWidth(faces);
    const size_t panels = before(faces, tile.cStep);
    tile.c = scratch_.packed[2].data() + panels * page_.depth * page_.rows +
             (column - firstPacked(faces) - panels);
    tile.cRows = faceRows_.data() + row;
  }
}

template class PagePacker<double>;
template class PagePacker<float>;
template ScaledLogSum splitOfTiles(const RunArgs<double> &);
template ScaledLogSum splitOfTiles(const RunArgs<float> &);

} // namespace mpf
