// The tasks that write answers: outputs, and the states of a best assignment.
#include "codegen/emit/lanes/lane_kernel_parts.h"
#include "codegen/emit/lanes/teams/team_writer.h"

namespace mpf {

namespace {

/// Opens loops over the entries of an output: x0, x1, ... are its digits.
void openEntries(TeamWriter &w, const LaneOutput &output) {
  for (size_t d = 0; d < output.extents.size(); ++d)
    w.out.open(fmt::format("for (unsigned x{0} = 0; x{0} < {1}u; ++x{0})", d, output.extents[d]));
}
void closeEntries(TeamWriter &w, const LaneOutput &output) {
  for (size_t d = 0; d < output.extents.size(); ++d)
    w.out.close();
}

std::string entryText(TeamWriter &w, const LaneOutput &output) {
  std::vector<size_t> digits(output.extents.size());
  for (size_t d = 0; d < digits.size(); ++d)
    digits[d] = d;
  TeamPlace place = w.schedule.messages[output.access.table];
  place.offsetElems += output.access.baseElems;
  return w.load(place, TeamWriter::sum('x', digits, output.access.stridesElems),
                w.program.tables[output.access.table].name);
}

/// The place of an output: its first entry among all results, its exponent among all exponents.
struct ResultPlace {
  uint64_t entry = 0, exponent = 0;
};
ResultPlace placeOf(const TeamWriter &w, uint32_t output) {
  ResultPlace place;
  for (uint32_t o = 0; o < output; ++o) {
    place.entry += w.program.outputs[o].sizeElems();
    for (const uint32_t other : w.kernel.exponentOutputs)
      place.exponent += other == o ? 1 : 0;
  }
  return place;
}

/// Returns the text of the product of a step's tables at the states s{v}. The state of the step's
/// variable is `state`.
std::string productText(TeamWriter &w, const LaneTraceback &step) {
  std::string product;
  for (const LaneTraceback::Table &table : step.tables) {
    std::string at = fmt::format("{}u", table.access.baseElems);
    for (size_t v = 0; v < table.scope.size(); ++v)
      at += fmt::format(" + {} * {}u",
                        table.scope[v] == step.variable ? std::string("state")
                                                        : fmt::format("s{}", table.scope[v].value),
                        table.access.stridesElems[v]);
    const LaneTable &read = w.program.tables[table.access.table];
    if (!product.empty())
      product += " * ";
    if (read.perCase()) {
      product += w.load(w.schedule.messages[table.access.table], at, read.name);
      continue;
    }
    const LaneImageCopy &copy = w.image.copies[w.image.wholeOf.at(table.access.table)];
    product += fmt::format("MPF_LD({}, image[{}u + {}])",
                           w.sites.add(SiteKind::GlobalLoad, read.name), copy.offsetElems, at);
  }
  return product.empty() ? "1" : product;
}

} // namespace

void writeTeamOutput(TeamWriter &w, const TeamTask &task) {
  const LaneOutput &output = w.program.outputs[task.index];
  const ResultPlace place = placeOf(w, task.index);
  if (output.normalised) {
    w.out.line("{} sum = 0;", w.entry);
    openEntries(w, output);
    w.out.line("sum += {};", entryText(w, output));
    closeEntries(w, output);
    w.out.line("const {0} share = mpfShare<{0}>(sum);", w.entry);
  }
  const uint32_t site = w.sites.add(SiteKind::GlobalStore, "results");
  w.out.line("unsigned to = {}u;", place.entry);
  openEntries(w, output);
  if (mayVanish(w.program, w.plan, task.index, w.type)) {
    w.out.line("const {} entry = {};", w.entry, entryText(w, output));
    w.out.line("const {} value = {};", w.entry, shareText("entry", "share", w.entry, true));
  } else {
    w.out.line("const {} value = {}{};", w.entry, entryText(w, output),
               output.normalised ? " * share" : "");
  }
  w.out.open("if (active)");
  w.out.line("MPF_ST({}, results[to * pitch + i], value);", site);
  w.out.close();
  w.out.line("++to;");
  closeEntries(w, output);
  if (output.normalised || w.plan.hasExponent[output.access.table] == 0)
    return;
  w.out.open("if (active)");
  w.out.line("MPF_ST({}, exponents[{} * pitch + i], {});",
             w.sites.add(SiteKind::GlobalStore, "exponents"), place.exponent,
             w.loadExponent(output.access.table));
  w.out.close();
}

/// Prints the forward phase of decoding: for each variable the first of its best states.
void writeTeamDecoding(TeamWriter &w) {
  const uint32_t site = w.sites.add(SiteKind::GlobalStore, "states");
  for (const LaneTraceback &step : w.program.traceback) {
    const uint32_t v = step.variable.value;
    w.out.line("unsigned s{} = 0;", v);
    w.out.open("");
    w.out.line("{} best = 0;", w.entry);
    w.out.directive("#pragma unroll 1");
    w.out.open(fmt::format("for (unsigned state = 0; state < {}u; ++state)",
                           w.program.variables[step.variable.index()].extent));
    w.out.line("const {} value = {};", w.entry, productText(w, step));
    w.out.line("s{} = value > best ? state : s{};", v, v);
    w.out.line("best = mpfMax<{}>(best, value);", w.entry);
    w.out.close();
    w.out.close();
    w.out.open("if (active)");
    w.out.line("MPF_ST({0}, states[{1} * pitch + i], s{1});", site, v);
    w.out.close();
  }
}

} // namespace mpf
