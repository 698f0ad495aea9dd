#include "codegen/bundle/lanes/lane_image.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <map>

namespace mpf {

const LaneImageTable &LaneImage::of(uint32_t table) const {
  for (const LaneImageTable &placed : tables)
    if (placed.table == table)
      return placed;
  MPF_UNREACHABLE("table {} has no place in the image", table);
}

LaneImage placeLaneTables(const LaneProgram &program, uint64_t vectorElems,
                          uint64_t mostSharedElems) {
  std::map<uint32_t, uint64_t> rowElems; // by table
  for (const LaneStep &step : program.steps)
    if (const auto *gather = std::get_if<LaneGather>(&step);
        gather != nullptr && program.tables[gather->table].kind != LaneTableKind::Indicator)
      rowElems[gather->table] = program.tables[gather->message].sizeElems;
  struct Wanted {
    LaneImageTable placed;
    uint64_t sizeElems = 0;
  };
  std::vector<Wanted> wanted;
  for (const auto &[table, row] : rowElems) {
    Wanted one;
    one.placed.table = table;
    one.placed.rowElems = row;
    // Rows of one or two entries are one load.
    one.placed.pitchElems =
        row <= 2 ? row : ((row + vectorElems - 1) / vectorElems | 1) * vectorElems;
    const uint64_t elems = program.tables[table].sizeElems / row * one.placed.pitchElems;
    one.sizeElems = (elems + vectorElems - 1) / vectorElems * vectorElems;
    wanted.push_back(one);
  }
  std::stable_sort(wanted.begin(), wanted.end(), [](const Wanted &a, const Wanted &b) {
    return a.sizeElems / a.placed.rowElems < b.sizeElems / b.placed.rowElems;
  });
  LaneImage image;
  for (const bool shared : {true, false})
    for (Wanted &one : wanted) {
      if (one.sizeElems == 0 || (shared && image.elems + one.sizeElems > mostSharedElems))
        continue;
      one.placed.offsetElems = image.elems;
      image.elems += one.sizeElems;
      image.sharedElems = shared ? image.elems : image.sharedElems;
      image.tables.push_back(one.placed);
      one.sizeElems = 0;
    }
  return image;
}

} // namespace mpf
