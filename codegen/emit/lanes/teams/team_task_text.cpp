// The tasks that copy, rescale and write out.
#include "codegen/emit/lanes/lane_code_text.h"
#include "codegen/emit/lanes/teams/team_writer.h"

#include <set>

namespace mpf {

namespace {

/// Opens for (unsigned e = first; e < end; ++e) over the tile's stretch of `elems` entries.
void openStretch(TeamWriter &w, uint64_t elems) {
  w.out.line("const unsigned first = tile * {}u;", kTeamStretch);
  w.out.line("const unsigned end = mpfLesser(first + {}u, {}u);", kTeamStretch, elems);
  w.out.directive("#pragma unroll 4");
  w.out.open("for (unsigned e = first; e < end; ++e)");
}

void loadWords(TeamWriter &w, const std::vector<LaneCode> &codes) {
  const uint32_t site = w.sites.add(SiteKind::SharedLoad, "words");
  std::set<uint64_t> words;
  for (const LaneCode &code : codes)
    words.insert(wordOf(w.kernel, code.column));
  for (const uint64_t word : words)
    w.out.line("const unsigned w{} = MPF_LD({}, words[{}]);", word, site, word * kTeamLanes);
}

/// Stores entry e of a tile that copies. If the message is rescaled, its greatest entry is updated.
void copyEntry(TeamWriter &w, const TeamTask &task, const std::string &value) {
  const TeamPlace &place = w.schedule.messages[task.message];
  const std::string &name = w.program.tables[task.message].name;
  w.out.line("const {} value = {};", w.entry, value);
  if (w.plan.rescaled[task.message] != 0)
    w.out.line("greatest{0} = mpfMax<{1}>(greatest{0}, {2});", task.message, w.entry,
               w.plan.isSigned ? fmt::format("mpfAbs<{}>(value)", w.entry) : "value");
  w.store(place, "e", name, "value");
}

void finishCopy(TeamWriter &w, const TeamTask &task) {
  if (w.plan.hasExponent[task.message] == 0)
    return;
  w.out.open("if (tile == 0u)");
  w.storeExponent(task.message, "0");
  w.out.close();
}

/// Stores the only tile of a short message, whose entries are in the registers e0, e1, ...
void storeShort(TeamWriter &w, const TeamTask &task) {
  const LaneTable &message = w.program.tables[task.message];
  std::vector<std::string> names;
  for (uint64_t e = 0; e < message.sizeElems; ++e)
    names.push_back(fmt::format("e{}", e));
  w.finishEntries(task, names, {});
  for (uint64_t e = 0; e < message.sizeElems; ++e)
    w.store(w.schedule.messages[task.message], fmt::format("{}u", e), message.name, names[e]);
}

/// Writes a message whose entry e is `value`, a text with the placeholder {} for e.
void writeCopy(TeamWriter &w, const TeamTask &task, const std::string &value) {
  const uint64_t elems = w.program.tables[task.message].sizeElems;
  if (task.tiles == 1) {
    for (uint64_t e = 0; e < elems; ++e)
      w.out.line("{} e{} = {};", w.entry, e,
                 fmt::format(fmt::runtime(value), fmt::format("{}u", e)));
    return storeShort(w, task);
  }
  openStretch(w, elems);
  copyEntry(w, task, fmt::format(fmt::runtime(value), "e"));
  w.out.close();
  finishCopy(w, task);
}

} // namespace

void writeTeamGather(TeamWriter &w, const TeamTask &task) {
  const auto &gather = std::get<LaneGather>(w.program.steps[task.index]);
  const uint64_t elems = w.program.tables[gather.message].sizeElems;
  const std::string &name = w.program.tables[gather.table].name;
  loadWords(w, gather.codes);
  if (w.program.tables[gather.table].kind == LaneTableKind::Indicator) {
    w.out.line("const unsigned code = {};", laneCodeText(w.kernel, gather.codes[0].column));
    return writeCopy(w, task, fmt::format("code == {{0}} || code == {}u ? 1 : 0", elems));
  }
  const LaneImageTable &placed = w.image.picked.of(gather.table);
  const bool isShared = w.image.picked.isShared(placed);
  std::string place;
  for (const LaneCode &code : gather.codes)
    place +=
        fmt::format("{}{} * {}u", place.empty() ? "" : " + ", laneCodeText(w.kernel, code.column),
                    code.strideElems / placed.rowElems * placed.pitchElems);
  w.out.line("const {} *const row = {} + {}u + ({});", w.entry, isShared ? "tables" : "image",
             placed.offsetElems, place.empty() ? "0u" : place);
  const SiteKind kind = isShared ? SiteKind::SharedLoad : SiteKind::GlobalLoad;
  if (task.tiles != 1)
    return writeCopy(w, task, fmt::format("MPF_LD({}, row[{{0}}])", w.sites.add(kind, name)));
  w.loadRow("e", elems, placed.pitchElems, "row", kind, name);
  storeShort(w, task);
}

void writeTeamWeights(TeamWriter &w, const TeamTask &task) {
  writeCopy(w, task,
            fmt::format("MPF_LD({}, weights[({}u + {{0}}) * pitch + i])",
                        w.sites.add(SiteKind::GlobalLoad, "weights"),
                        w.program.schema.firstWeight(w.program.tables[task.index].source)));
}

void writeTeamRescale(TeamWriter &w, const TeamTask &task) {
  const uint32_t message = task.message;
  const TeamPlace &place = w.schedule.messages[message];
  const std::string &name = w.program.tables[message].name;
  const uint64_t warps = w.kernel.blockThreads / kTeamLanes;
  w.out.line("{} greatest = 0;", w.entry);
  w.out.open(fmt::format("for (unsigned of = 0; of < {}u; ++of)", warps));
  w.out.line("greatest = mpfMax<{}>(greatest, {});", w.entry,
             w.load(w.schedule.maxima[message], "of", "greatest entries"));
  w.out.close();
  w.out.line("int own;");
  w.out.line("const {0} factor = mpfRescaling<{0}>(greatest, {1}, own);", w.entry,
             w.plan.greatestExponent);
  w.out.line("left |= factor != factor;"); // maxima drop what is no number
  w.out.line("const unsigned floor = mpfFloor<{}>(greatest, {});", w.entry, w.plan.orders);
  openStretch(w, w.program.tables[message].sizeElems);
  w.out.line("const {} value = {};", w.entry, w.load(place, "e", name));
  w.out.line("left |= mpfMagnitude<{}, {}>(value) - 1u < floor - 1u;", w.entry, w.plan.isSigned);
  w.store(place, "e", name, "value * factor");
  w.out.close();
  w.out.open("if (tile == 0u)");
  w.storeExponent(message, fmt::format("own + {}", w.loadExponent(message)));
  w.out.close();
}

} // namespace mpf
