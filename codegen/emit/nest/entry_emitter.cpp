#include "codegen/emit/nest/entry_emitter.h"

#include "codegen/emit/nest/address_emitter.h"

namespace mpf {

namespace {

std::string loadText(uint32_t site, const std::string &lvalue) {
  return fmt::format("MPF_LD({}, {})", site, lvalue);
}

/// Returns the first register of a load: "fReg + i".
std::string firstOf(const EntryLoad &load) {
  return load.flat == "0" ? load.registers : fmt::format("{} + {}", load.registers, load.flat);
}

std::string wordText(const EntryPlace &from) {
  return loadText(from.site, fmt::format("{}.word({})", from.pointer, from.offset));
}

} // namespace

EntryEmitter::EntryEmitter(const Nest &nest, CodeWriter &out)
    : nest_(nest), out_(out), ops_(*nest.plan, nest.plan->form) {}

std::string EntryEmitter::indexType() const {
  return nest_.plan->indexWidth == IndexWidth::Bits32 ? "unsigned" : "unsigned long long";
}

std::string EntryEmitter::loopType() const { return nest_.wideLoops ? "long long" : "int"; }

std::string EntryEmitter::vectorType(uint32_t vector) const {
  return vector == 1      ? ops_.type
         : ops_.isInteger ? "MpfVector64" // of two: 16 bytes
                          : fmt::format("{}{}", ops_.type, vector);
}

void EntryEmitter::openUnrolled(const std::string &index, uint64_t extent, uint64_t step) {
  out_.directive("#pragma unroll");
  const std::string advance =
      step == 1 ? fmt::format("++{}", index) : fmt::format("{} += {}", index, step);
  out_.open(fmt::format("for ({0} {1} = 0; {1} < {2}; {3})", loopType(), index, extent, advance));
}

void EntryEmitter::openCounted(const std::string &index, uint64_t extent, uint64_t unroll) {
  if (unroll == extent)
    return openUnrolled(index, extent);
  out_.directive(fmt::format("#pragma unroll {}", unroll));
  out_.open(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1})", loopType(), index, extent));
}

std::string EntryEmitter::entryText(const EntryPlace &from) const {
  return from.packed ? fmt::format("{}.entry({}, {})", from.pointer, from.offset, wordText(from))
                     : loadText(from.site, fmt::format("{}[{}]", from.pointer, from.offset));
}

std::string EntryEmitter::unpackText(const EntryLoad &load) const {
  const EntryPlace &from = load.from;
  if (from.packed)
    return fmt::format("{}.unpack<{}>({}, {}, {});", from.pointer, load.vector, firstOf(load),
                       from.offset, wordText(from));
  return fmt::format(
      "mpfUnpack({}, {});", firstOf(load),
      loadText(from.site, fmt::format("MPF_VEC(const {}, {}[{}])", vectorType(load.vector),
                                      from.pointer, from.offset)));
}

std::string EntryEmitter::pointerType(bool packed) const {
  return packed ? fmt::format("const MpfPacked<{}, {}>", ops_.type, indexType())
                : fmt::format("const {} *const", ops_.type);
}

/// Loads words of packed bits. Words outside the guard are 0, which does not change a reduction.
void EntryEmitter::loadWords(const EntryLoad &load) {
  const std::string bits =
      fmt::format("{}.bits({}, {})", load.from.pointer, load.from.offset, wordText(load.from));
  out_.line("{}[{}] = {};", load.registers,
            load.vector == 1 ? load.flat : fmt::format("({}) / {}", load.flat, load.vector),
            load.guard.empty() ? bits : fmt::format("{} ? {} : 0u", load.guard, bits));
}

void EntryEmitter::loadEntries(const EntryLoad &load) {
  // If absent() is empty, convertEntries sets the identity again; until then any value will do.
  const std::string absent =
      load.from.packed || ops_.absent().empty() ? ops_.identity() : ops_.absent();
  if (load.vector == 1) {
    const std::string entry = entryText(load.from);
    out_.line("{}[{}] = {};", load.registers, load.flat,
              load.guard.empty() ? entry : fmt::format("{} ? {} : {}", load.guard, entry, absent));
    return;
  }
  if (!load.guard.empty())
    out_.open(fmt::format("if ({})", load.guard));
  out_.text(unpackText(load));
  if (load.guard.empty())
    return;
  out_.close();
  out_.open("else");
  openUnrolled("lane", load.vector);
  out_.line("{}[{}] = {};", load.registers, LinearAddress().add(load.flat, 1).add("lane", 1).text(),
            absent);
  out_.close();
  out_.close();
}

void EntryEmitter::convertEntries(const EntryLoad &load) {
  out_.line("{}<{}>({}, {});", ops_.converter, load.vector, firstOf(load),
            ops_.converterArgument(load.operand));
  if (load.guard.empty() || !ops_.absent().empty())
    return;
  openUnrolled("lane", load.vector);
  const std::string entry = fmt::format("{}[{}]", load.registers,
                                        LinearAddress().add(load.flat, 1).add("lane", 1).text());
  out_.line("{0} = {1} ? {0} : {2};", entry, load.guard, ops_.identity());
  out_.close();
}

} // namespace mpf
