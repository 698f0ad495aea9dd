#include "codegen/bundle/lanes/lane_addresses.h"
#include "codegen/emit/lanes/teams/team_writer.h"

#include <algorithm>
#include <numeric>

namespace mpf {

namespace {

/// The greatest number of statements in unrolled loops over terms.
constexpr uint64_t kUnrolledStatements = 96;

/// Prints the text of an operation's tile. The entries of the tile before pass p are r{p}_{k}. The
/// entries of slot s that the tile needs are a{s}_{j}.
class OperationText {
public:
  OperationText(TeamWriter &writer, const TeamTask &task)
      : w_(writer), task_(task), tile_(task.tile), slots_(task.tile.operation.slots),
        isShared_(sharedOperands(writer.program, task.tile.operation)) {}

  void write() {
    findTile();
    const std::vector<TeamPass> &passes = tile_.operation.passes;
    writeFirstPass();
    for (size_t p = 1; p < passes.size(); ++p)
      writePass(p);
    storeTile(passes.size());
  }

private:
  const std::string &nameOf(uint32_t table) const { return w_.program.tables[table].name; }

  void findTile() {
    if (tile_.outer.empty())
      return;
    w_.out.line("unsigned rest = tile;");
    for (size_t i = tile_.outer.size(); i-- > 1;) {
      const uint64_t extent = slots_.digits[tile_.outer[i]].extent;
      w_.out.line("const unsigned d{} = rest % {}u;", tile_.outer[i], extent);
      w_.out.line("rest /= {}u;", extent);
    }
    w_.out.line("const unsigned d{} = rest;", tile_.outer.front());
  }

  std::vector<uint64_t> stridesOf(size_t slot, const std::vector<size_t> &digits) const {
    std::vector<uint64_t> strides;
    for (const size_t d : digits)
      strides.push_back(slots_.slot(slot).stridesElems[d]);
    return strides;
  }

  /// Returns the place values of a number with these digits, the first one most significant, in
  /// units of `unit`.
  std::vector<uint64_t> placeValues(const std::vector<size_t> &digits, uint64_t unit) const {
    std::vector<uint64_t> values(digits.size());
    for (size_t i = digits.size(); i-- > 0;) {
      values[i] = unit;
      unit *= slots_.digits[digits[i]].extent;
    }
    return values;
  }

  std::string outerSum(size_t slot) const {
    const std::vector<size_t> moved = tile_.movedBy(slot, tile_.outer);
    return TeamWriter::sum('d', moved, stridesOf(slot, moved));
  }

  const LaneImageCopy &copyOf(size_t s) const {
    return w_.image.copies[w_.image.copyOf.at({task_.index, s})];
  }

  /// Declares p{s}, which points to the operand's entries for this tile.
  void pointTo(size_t s) {
    const LaneAccess &operand = slots_.operands[s];
    if (isShared_[s] != 0) {
      const LaneImageCopy &copy = copyOf(s);
      const std::vector<size_t> moved = tile_.movedBy(s, tile_.outer);
      const uint64_t unit = tile_.product(tile_.movedBy(s, tile_.terms)) * copy.pitchElems;
      w_.out.line("const {} *const p{} = image + ({}u + {});", w_.entry, s, copy.offsetElems,
                  TeamWriter::sum('d', moved, placeValues(moved, unit)));
      return;
    }
    const TeamPlace &place = w_.schedule.messages[operand.table];
    w_.out.line("const {} *const p{} = {} + ({}u + {}) * {};", w_.entry, s,
                TeamWriter::arena(place), place.offsetElems + operand.baseElems, outerSum(s),
                kTeamLanes);
  }

  void loadOperand(size_t s) {
    const LaneAccess &operand = slots_.operands[s];
    const std::vector<size_t> terms = tile_.movedBy(s, tile_.terms);
    const std::vector<uint64_t> offsets =
        laneOffsets(slots_, operand, tile_.movedBy(s, tile_.inner), 0);
    const std::string name = fmt::format("a{}_", s);
    if (isShared_[s] != 0) {
      const LaneImageCopy &copy = copyOf(s);
      w_.out.line("const {0} *const q{1} = p{1} + ({2});", w_.entry, s,
                  TeamWriter::sum('x', terms, placeValues(terms, copy.pitchElems)));
      return w_.loadRow(name, offsets.size(), copy.pitchElems, fmt::format("q{}", s),
                        SiteKind::GlobalLoad, nameOf(operand.table));
    }
    const uint32_t site = w_.loadSite(w_.schedule.messages[operand.table], nameOf(operand.table));
    for (size_t j = 0; j < offsets.size(); ++j)
      w_.out.line("const {} {}{} = MPF_LD({}, p{}[({} + {}u) * {}]);", w_.entry, name, j, site, s,
                  TeamWriter::sum('x', terms, stridesOf(s, terms)), offsets[j], kTeamLanes);
  }

  /// Prints the first pass. Every operand is loaded in the innermost of the loops that move it.
  void writeFirstPass() {
    const TeamPass &pass = tile_.operation.passes.front();
    for (size_t s = 0; s < pass.operandCount; ++s)
      pointTo(s);
    for (uint64_t k = 0; k < tile_.entries(); ++k)
      w_.out.line("{} r1_{} = {};", w_.entry, k, startText(pass));
    const std::vector<uint64_t> unrolled = unrolledLoops();
    loadAt(pass, 0);
    for (size_t l = 0; l < tile_.terms.size(); ++l) {
      const size_t d = tile_.terms[l];
      w_.out.directive(fmt::format("#pragma unroll {}", unrolled[l]));
      w_.out.open(
          fmt::format("for (unsigned x{0} = 0; x{0} < {1}u; ++x{0})", d, slots_.digits[d].extent));
      loadAt(pass, l + 1);
    }
    const std::vector<std::string> products = productsOf(pass, tile_.inner);
    for (size_t k = 0; k < products.size(); ++k)
      addTerm(pass, fmt::format("r1_{}", k), products[k]);
    for (size_t l = 0; l < tile_.terms.size(); ++l)
      w_.out.close();
  }

  /// Loads the operands that loop l, counted from 1, is the innermost loop to move. With l = 0, it
  /// loads the operands that no loop moves.
  void loadAt(const TeamPass &pass, size_t l) {
    for (size_t s = 0; s < pass.operandCount; ++s) {
      size_t innermost = 0;
      for (size_t loop = 0; loop < tile_.terms.size(); ++loop)
        if (slots_.operands[s].stridesElems[tile_.terms[loop]] != 0)
          innermost = loop + 1;
      if (innermost == l)
        loadOperand(s);
    }
  }

  std::vector<uint64_t> unrolledLoops() const {
    const size_t operands = tile_.operation.passes.front().operandCount;
    uint64_t statements = tile_.entries() * std::max<size_t>(operands, 2);
    std::vector<uint64_t> unrolled(tile_.terms.size(), 1);
    for (size_t l = tile_.terms.size(); l-- > 0;) {
      const uint64_t extent = slots_.digits[tile_.terms[l]].extent;
      unrolled[l] = std::clamp<uint64_t>(kUnrolledStatements / statements, 1, extent);
      if (unrolled[l] != extent)
        break; // loops outside are not unrolled
      statements *= extent;
    }
    return unrolled;
  }

  /// Prints a later pass, which reads the entries of the pass before from registers.
  void writePass(size_t p) {
    const TeamPass &pass = tile_.operation.passes[p];
    for (size_t s = pass.firstOperand; s < pass.firstOperand + pass.operandCount; ++s) {
      pointTo(s);
      loadOperand(s);
    }
    const std::vector<size_t> before = tile_.innerOf(p), after = tile_.innerOf(p + 1);
    for (uint64_t k = 0; k < tile_.product(after); ++k)
      w_.out.line("{} r{}_{} = {};", w_.entry, p + 1, k, startText(pass));
    const std::vector<uint64_t> results = placesOf(before, after);
    const std::vector<std::string> products = productsOf(pass, before);
    for (size_t k = 0; k < results.size(); ++k) {
      const std::string carried = fmt::format("r{}_{}", p, k);
      addTerm(pass, fmt::format("r{}_{}", p + 1, results[k]),
              products[k].empty() ? carried : fmt::format("{} * ({})", carried, products[k]));
    }
  }

  std::string startText(const TeamPass &pass) const {
    return pass.semiring.reduce == Reduce::Max ? fmt::format("mpfNotANumber<{}>()", w_.entry) : "0";
  }

  /// Returns, for each value of the digits `all`, the value of `some` of these digits. Both are
  /// numbered with the last digit fastest.
  std::vector<uint64_t> placesOf(const std::vector<size_t> &all,
                                 const std::vector<size_t> &some) const {
    const std::vector<uint64_t> values = placeValues(some, 1);
    std::vector<StridedPlace> places;
    for (const size_t d : all) {
      const auto at = std::find(some.begin(), some.end(), d);
      places.push_back({at == some.end() ? 0 : values[static_cast<size_t>(at - some.begin())],
                        slots_.digits[d].extent});
    }
    return placeOffsets(places, 0);
  }

  /// Returns, for each value of `digits`, the text of the product of the operands' entries; empty
  /// without operands. Operands with the fewest entries come first: their products serve several
  /// terms.
  std::vector<std::string> productsOf(const TeamPass &pass,
                                      const std::vector<size_t> &digits) const {
    std::vector<size_t> order(pass.operandCount);
    std::iota(order.begin(), order.end(), pass.firstOperand);
    std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) {
      return tile_.product(tile_.movedBy(a, tile_.inner)) <
             tile_.product(tile_.movedBy(b, tile_.inner));
    });
    std::vector<std::string> products(tile_.product(digits));
    for (const size_t s : order) {
      const std::vector<uint64_t> needed = placesOf(digits, tile_.movedBy(s, tile_.inner));
      for (size_t k = 0; k < products.size(); ++k)
        products[k] += fmt::format("{}a{}_{}", products[k].empty() ? "" : " * ", s, needed[k]);
    }
    return products;
  }

  void addTerm(const TeamPass &pass, const std::string &sum, const std::string &term) {
    if (pass.semiring.reduce == Reduce::Max)
      w_.out.line("{0} = mpfMax<{1}>({0}, {2});", sum, w_.entry, term);
    else
      w_.out.line("{} += {};", sum, term);
  }

  void storeTile(size_t passes) {
    const std::vector<size_t> digits = tile_.innerOf(passes);
    const LaneAccess &result = slots_.result;
    const std::vector<uint64_t> offsets = laneOffsets(slots_, result, digits, 0);
    std::vector<std::string> names;
    for (uint64_t k = 0; k < offsets.size(); ++k)
      names.push_back(fmt::format("r{}_{}", passes, k));
    w_.finishEntries(task_, names, tile_.operation.operandTables());
    const TeamPlace &place = w_.schedule.messages[result.table];
    w_.out.line("{} *const to = {} + ({}u + {}) * {};", w_.entry, TeamWriter::arena(place),
                place.offsetElems + result.baseElems, outerSum(slots_.operands.size()), kTeamLanes);
    const uint32_t site = w_.storeSite(place, nameOf(result.table));
    for (uint64_t k = 0; k < offsets.size(); ++k)
      w_.out.line("MPF_ST({}, to[{}], {});", site, offsets[k] * kTeamLanes, names[k]);
  }

  TeamWriter &w_;
  const TeamTask &task_;
  const TeamTile &tile_;
  const LaneOperation &slots_;
  const SharedOperands isShared_;
};

} // namespace

void writeTeamOperation(TeamWriter &writer, const TeamTask &task) {
  OperationText(writer, task).write();
}

} // namespace mpf
