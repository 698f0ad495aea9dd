#include "codegen/emit/nest/nest_emitter.h"

#include "codegen/emit/nest/kernel_frame.h"
#include "codegen/emit/nest/register_loops.h"
#include "dsl/support/check.h"

namespace mpf {

NestEmitter::NestEmitter(const Nest &nest, EntryEmitter &entries, CodeWriter &out, SiteTable &sites)
    : nest_(nest), out_(out), sites_(sites), entries_(entries), ops_(entries.ops()), names_(nest),
      scalarStep_(nest.steps.size(), false) {}

void NestEmitter::openLoop(size_t axis) {
  const NestAxis &loop = nest_.axes[axis];
  const bool page = loop.role == AxisRole::Page;
  if (loop.unrolled)
    return entries_.openUnrolled(loop.name, loop.extent);
  out_.directive(fmt::format("#pragma unroll {}", page ? 1u : loop.unroll));
  out_.open(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1})",
                        page ? entries_.indexType() : entries_.loopType(), loop.name, loop.extent));
}

/// Opens the loops that walk over a fragment, farthest axes first, `vector` entries at a time
/// through its contiguous run. Sets the names of its axes to their value at the first entry.
NestEmitter::Walk NestEmitter::openWalk(const Fragment &fragment, IndexNames &names) {
  Walk walk;
  const size_t inRun = fragment.vector > 1 ? fragment.runAxes : 0;
  for (size_t i = fragment.axes.size(); i-- > inRun; ++walk.loops) {
    const FragmentAxis &part = fragment.axes[i];
    entries_.openUnrolled(names[part.axis], nest_.extents[part.axis]);
    walk.offset.add(names[part.axis], part.memoryStride);
    walk.flat.add(names[part.axis], part.flatStride);
  }
  const bool looped = inRun > 0 && fragment.runElems > fragment.vector;
  const std::string run = !looped ? "0" : inRun == 1 ? names[fragment.axes[0].axis] : "i";
  if (looped) {
    entries_.openUnrolled(run, fragment.runElems, fragment.vector);
    ++walk.loops;
  }
  walk.offset.add(run, 1);
  walk.flat.add(run, 1);
  for (size_t i = 0; i < inRun; ++i) {
    const FragmentAxis &part = fragment.axes[i];
    const bool shared = looped && inRun > 1;
    names.set(part.axis,
              !shared ? run
                      : fmt::format("(i / {} % {})", part.flatStride, nest_.extents[part.axis]));
  }
  return walk;
}

void NestEmitter::hoisted(size_t first, size_t last) {
  MPF_CHECK(first <= last && last <= nest_.loops.size(), "loads of depths {} to {} of {} loops",
            first, last, nest_.loops.size());
  std::vector<const NestTable *> due;
  for (const NestTable &table : nest_.operands)
    if (table.loadDepth >= first && table.loadDepth <= last)
      due.push_back(&table);
  for (const NestTable *table : due) {
    const uint32_t site = addLoadSite(*table);
    if (table->isWords())
      out_.line("unsigned {}Words[{}];", table->name,
                table->fragment.sizeElems / table->fragment.vector);
    else
      out_.line("{} {}Reg[{}];", ops_.type, table->name, table->fragment.sizeElems);
    walkFragment(*table, [&](EntryLoad load) {
      load.from.site = site;
      table->isWords() ? entries_.loadWords(load) : entries_.loadEntries(load);
    });
  }
  for (const NestTable *table : due)
    // Segments were converted when they were staged; packed tables need no conversion.
    if (entries_.converts() && !table->isShared() && !table->packed)
      walkFragment(*table, [&](const EntryLoad &load) { entries_.convertEntries(load); });
  for (const NestStep &step : nest_.steps)
    if (step.depth >= first && step.depth <= last && step.depth < nest_.loops.size())
      formArray(step);
}

uint32_t NestEmitter::addLoadSite(const NestTable &table) {
  MPF_CHECK(&table >= nest_.operands.data() &&
                &table < nest_.operands.data() + nest_.operands.size(),
            "{} is no operand of {}", table.name, nest_.plan->name);
  const bool shared = table.isShared();
  const Segment &segment =
      nest_.plan->segments[static_cast<size_t>(&table - nest_.operands.data())];
  return sites_.add(shared ? SiteKind::SharedLoad : SiteKind::GlobalLoad,
                    fmt::format("{} {}", shared ? "segment" : "operand", table.name),
                    segment.conflictFree);
}

/// Prints the loops over a table's fragment. `visit` prints the text for one of its vectors.
void NestEmitter::walkFragment(const NestTable &table,
                               const std::function<void(const EntryLoad &)> &visit) {
  const Fragment &fragment = table.fragment;
  IndexNames names = names_;
  Walk walk = openWalk(fragment, names);
  for (size_t i = nest_.pages; i < nest_.loops.size(); ++i)
    if (!fragment.contains(nest_.loops[i]))
      walk.offset.add(names[nest_.loops[i]], table.readStrides()[nest_.loops[i]]);
  visit({{0, table.name + (table.isShared() ? "Seg" : "At"), walk.offset.text(), table.isWords()},
         table.name + (table.isWords() ? "Words" : "Reg"),
         walk.flat.text(),
         fragment.vector,
         table.isShared() ? std::string() : guardText(nest_, table, names),
         table.name});
  for (size_t i = 0; i < walk.loops; ++i)
    out_.close();
}

void NestEmitter::declarePacked() {
  const auto [zero, one] = ops_.packedEntries();
  for (const NestTable &table : nest_.operands)
    if (table.packed)
      out_.line("{} {} = {{{}, 0, {}, {}}};", entries_.pointerType(true), table.name,
                packedName(table.name), zero, one);
}

std::string NestEmitter::stepIndex(const NestStep &step) const {
  LinearAddress index;
  uint64_t stride = 1;
  for (size_t i = step.axes.size(); i-- > 0; stride *= nest_.extents[step.axes[i]])
    index.add(names_[step.axes[i]], stride);
  return index.text();
}

bool NestEmitter::isWords(uint32_t value) const {
  return value < nest_.operands.size() && nest_.operands[value].isWords();
}

std::string NestEmitter::bitText(uint32_t value) const {
  MPF_CHECK(isWords(value), "value {} has no words of packed bits", value);
  const NestTable &table = nest_.operands[value];
  const std::string flat = flatText(table.fragment, names_);
  const uint32_t vector = table.fragment.vector;
  return vector == 1 ? fmt::format("{}Words[{}], 0", table.name, flat)
                     : fmt::format("{0}Words[({1}) / {2}], ({1}) % {2}", table.name, flat, vector);
}

/// Returns the text of a product. If a factor is a packed bit, it is a choice between the other
/// factor and zero.
std::string NestEmitter::productText(uint32_t left, uint32_t right) const {
  if (isWords(right) && !isWords(left))
    std::swap(left, right);
  if (!isWords(left))
    return ops_.combine(valueText(left), valueText(right));
  return fmt::format("mpfBit({}) ? {} : {}", bitText(left), valueText(right),
                     ops_.packedEntries().first);
}

/// Prints the last product and the reduction. Reductions start from zero, so a bit of zero needs no
/// work.
void NestEmitter::reduceLast(const std::string &index) {
  if (nest_.steps.empty())
    return out_.text(ops_.reduce(index, valueText(0)));
  uint32_t left = nest_.steps.back().left, right = nest_.steps.back().right;
  if (isWords(right))
    std::swap(left, right);
  if (!isWords(left))
    return out_.text(ops_.reduce(index, ops_.combine(valueText(left), valueText(right))));
  out_.line("if (mpfBit({}))", bitText(left));
  out_.line("  {}", ops_.reduce(index, valueText(right)));
}

std::string NestEmitter::valueText(uint32_t value) const {
  if (isWords(value))
    return fmt::format("{}.value({})", nest_.operands[value].name, bitText(value));
  if (value < nest_.operands.size())
    return fmt::format("{}Reg[{}]", nest_.operands[value].name,
                       flatText(nest_.operands[value].fragment, names_));
  const size_t index = value - nest_.operands.size();
  MPF_CHECK(index < nest_.steps.size(), "value {} of {} operands and {} products", value,
            nest_.operands.size(), nest_.steps.size());
  const NestStep &step = nest_.steps[index];
  return scalarStep_[index] ? step.name : fmt::format("{}[{}]", step.name, stepIndex(step));
}

void NestEmitter::formArray(const NestStep &step) {
  uint64_t size = 1;
  for (size_t axis : step.axes)
    size *= nest_.extents[axis];
  out_.line("{} {}[{}];", ops_.type, step.name, size);
  for (size_t axis : step.axes)
    entries_.openUnrolled(nest_.axes[axis].name, nest_.extents[axis]);
  out_.line("{}[{}] = {};", step.name, stepIndex(step), productText(step.left, step.right));
  for (size_t i = 0; i < step.axes.size(); ++i)
    out_.close();
}

void NestEmitter::startAccumulators() {
  out_.line("// identities");
  entries_.openUnrolled("i", nest_.result.fragment.sizeElems);
  out_.text(ops_.start("i"));
  out_.close();
}

void NestEmitter::reduce() {
  const RegisterLoops loops = orderRegisterLoops(nest_);
  MPF_CHECK(loops.scalarSteps.size() == loops.axes.size() + 1, "products at {} depths of {} loops",
            loops.scalarSteps.size(), loops.axes.size());
  for (size_t step : loops.arraySteps)
    formArray(nest_.steps[step]);
  for (size_t depth = 0; depth <= loops.axes.size(); ++depth) {
    for (size_t step : loops.scalarSteps[depth]) {
      scalarStep_[step] = true;
      out_.line("const {} {} = {};", ops_.type, nest_.steps[step].name,
                productText(nest_.steps[step].left, nest_.steps[step].right));
    }
    if (depth < loops.axes.size())
      entries_.openUnrolled(nest_.axes[loops.axes[depth]].name, nest_.extents[loops.axes[depth]]);
  }
  reduceLast(flatText(nest_.result.fragment, names_));
  for (size_t i = 0; i < loops.axes.size(); ++i)
    out_.close();
}

void NestEmitter::store(const std::string &pointer, const std::string &condition) {
  const Fragment &fragment = nest_.result.fragment;
  const uint32_t site = sites_.add(SiteKind::GlobalStore, "result");
  IndexNames names = names_;
  const Walk walk = openWalk(fragment, names);
  const std::string guard = guardText(nest_, nest_.result, names);
  const std::string both = condition.empty() ? guard
                           : guard.empty()   ? condition
                                             : fmt::format("{} && {}", condition, guard);
  storeEntries(walk.flat.text(), fmt::format("{}[{}]", pointer, walk.offset.text()), site, both);
  for (size_t i = 0; i < walk.loops; ++i)
    out_.close();
}

void NestEmitter::storeEntries(const std::string &flat, const std::string &address, uint32_t site,
                               const std::string &condition) {
  const uint32_t vector = nest_.result.fragment.vector;
  const std::string index = LinearAddress().add(flat, 1).add(vector == 1 ? "0" : "lane", 1).text();
  std::string entry = ops_.total(index);
  if (ops_.scaled && !ops_.sumsMantissas && !ops_.isInteger)
    entry = ops_.log ? fmt::format("{} - shift", entry) : fmt::format("rescale({})", entry);
  const std::string check = condition.empty() ? "" : fmt::format("if ({})", condition);
  // Logarithms of sums are computed without condition, because each condition would be a branch.
  out_.open(ops_.sumsMantissas ? "" : check);
  out_.line("{} entries[{}];", ops_.type, vector);
  if (vector > 1)
    entries_.openUnrolled("lane", vector);
  out_.line("entries[{}] = {};", vector == 1 ? "0" : "lane", entry);
  if (ops_.scaled && !ops_.sumsMantissas)
    out_.line("range.add(entries[{}]);", vector == 1 ? "0" : "lane");
  if (vector > 1)
    out_.close();
  if (ops_.sumsMantissas && !check.empty())
    out_.open(check);
  const std::string type = entries_.vectorType(vector);
  if (vector == 1)
    out_.line("MPF_ST({}, {}, entries[0]);", site, address);
  else
    out_.line("MPF_ST_WIDE({}, MPF_VEC({}, {}), mpfPack<{}>(entries));", site, type, address, type);
  if (ops_.sumsMantissas && !check.empty())
    out_.close();
  out_.close();
}

} // namespace mpf
