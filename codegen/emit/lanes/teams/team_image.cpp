#include "codegen/emit/lanes/teams/team_image.h"

namespace mpf {

namespace {

class TeamTables {
public:
  TeamTables(const LaneProgram &program, TeamImage &image, uint64_t vectorElems)
      : program_(program), image_(image), vectorElems_(vectorElems) {
    image.elems = image.picked.elems;
  }

  void addOperands(const TeamTask &task) {
    const TeamTile &tile = task.tile;
    const std::vector<char> isShared = sharedOperands(program_, tile.operation);
    for (size_t s = 0; s < isShared.size(); ++s) {
      if (isShared[s] == 0)
        continue;
      const LaneAccess &operand = tile.operation.slots.slot(s);
      LaneImageCopy copy{operand.table, operand.baseElems};
      addPlaces(tile, s, tile.outer, copy.rows);
      addPlaces(tile, s, tile.terms, copy.rows);
      addPlaces(tile, s, tile.inner, copy.row);
      image_.copyOf[{task.index, s}] = add(copy);
    }
  }

  void addWhole(uint32_t table) {
    if (program_.tables[table].perCase() || image_.wholeOf.contains(table))
      return;
    LaneImageCopy copy{table};
    copy.row.push_back({1, program_.tables[table].sizeElems});
    image_.wholeOf[table] = add(copy);
  }

private:
  static void addPlaces(const TeamTile &tile, size_t slot, const std::vector<size_t> &digits,
                        std::vector<StridedPlace> &places) {
    for (const size_t d : tile.movedBy(slot, digits))
      places.push_back(
          {tile.operation.slots.slot(slot).stridesElems[d], tile.operation.slots.digits[d].extent});
  }

  static uint64_t countOf(const std::vector<StridedPlace> &places) {
    uint64_t count = 1;
    for (const StridedPlace &place : places)
      count *= place.extent;
    return count;
  }

  size_t add(LaneImageCopy &copy) {
    const uint64_t row = countOf(copy.row);
    // Rows of one or two entries are one load, longer ones are filled up to whole vectors.
    const uint64_t unit = row <= 2 ? row : vectorElems_;
    copy.pitchElems = (row + unit - 1) / unit * unit;
    copy.offsetElems = image_.elems;
    const uint64_t elems = countOf(copy.rows) * copy.pitchElems;
    image_.elems += (elems + vectorElems_ - 1) / vectorElems_ * vectorElems_;
    image_.copies.push_back(std::move(copy));
    return image_.copies.size() - 1;
  }

  const LaneProgram &program_;
  TeamImage &image_;
  const uint64_t vectorElems_;
};

} // namespace

TeamImage placeTeamTables(const LaneProgram &program, const TeamSchedule &schedule,
                          uint64_t vectorElems, uint64_t mostSharedElems) {
  TeamImage image;
  image.picked = placeLaneTables(program, vectorElems, mostSharedElems);
  TeamTables tables(program, image, vectorElems);
  for (const TeamTask &task : schedule.tasks)
    if (task.kind == TeamTaskKind::Operation)
      tables.addOperands(task);
  for (const LaneTraceback &step : program.traceback)
    for (const LaneTraceback::Table &table : step.tables)
      tables.addWhole(table.access.table);
  return image;
}

} // namespace mpf
