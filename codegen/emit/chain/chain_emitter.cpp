#include "codegen/emit/chain/chain_emitter.h"

#include "codegen/kernel/plan/chain_shape.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

std::string tileName(size_t step) { return fmt::format("t{}", step); }

} // namespace

ChainEmitter::ChainEmitter(const ChainPlan &plan, CodeWriter &out, SiteTable &sites)
    : plan_(plan), out_(out), sites_(sites), ops_(plan, wholeOperation(plan.form)) {}

std::string ChainEmitter::indexType() const {
  return plan_.indexWidth == IndexWidth::Bits32 ? "int" : "long long";
}

LinearAddress ChainEmitter::offsetOf(const std::vector<uint32_t> &parts,
                                     const std::vector<uint64_t> &strides) const {
  LinearAddress offset;
  MPF_CHECK(strides.size() == plan_.parts.size(), "{}: {} strides for {} parts", plan_.name,
            strides.size(), plan_.parts.size());
  for (const uint32_t part : parts)
    if (plan_.parts[part].extent > 1)
      offset.add(plan_.parts[part].name, strides[part]);
  return offset;
}

void ChainEmitter::openLoop(const std::string &index, uint64_t extent, uint64_t step) {
  MPF_CHECK(step > 0 && extent % step == 0, "{}: loop {} over {} values by {}", plan_.name, index,
            extent, step);
  out_.directive("#pragma unroll");
  const std::string advance =
      step == 1 ? fmt::format("++{}", index) : fmt::format("{} += {}", index, step);
  out_.open(fmt::format("for (int {0} = 0; {0} < {1}; {2})", index, extent, advance));
}

void ChainEmitter::load(const std::string &registers, const std::string &flat,
                        const std::string &source, uint32_t vector, uint32_t site,
                        const std::string &form) {
  if (vector == 1) {
    std::string entry = fmt::format("MPF_LD({}, {})", site, source);
    if (!form.empty())
      entry = fmt::format("mpfToLog({}, {})", entry, form);
    out_.line("{}[{}] = {};", registers, flat, entry);
    return;
  }
  const std::string target = flat == "0" ? registers : fmt::format("{} + {}", registers, flat);
  out_.line("mpfUnpack({}, MPF_LD({}, MPF_VEC(const {}{}, {})));", target, site, ops_.type, vector,
            source);
  if (!form.empty())
    out_.line("mpfToLog<{}>({}, {});", vector, target, form);
}

void ChainEmitter::store(const std::string &target, const std::string &registers,
                         const std::string &flat, uint32_t vector, uint32_t site) {
  if (vector == 1)
    return out_.line("MPF_ST({}, {}, {}[{}]);", site, target, registers, flat);
  const std::string from = flat == "0" ? registers : fmt::format("{} + {}", registers, flat);
  out_.line("MPF_ST({0}, MPF_VEC({1}{2}, {3}), mpfPack<{1}{2}>({4}));", site, ops_.type, vector,
            target, from);
}

Fragment ChainEmitter::layOut(const Names &parts, const std::vector<uint64_t> &strides,
                              uint32_t vector) const {
  std::vector<std::pair<size_t, uint64_t>> axes;
  for (const uint32_t part : parts)
    if (plan_.parts[part].extent > 1)
      axes.emplace_back(part, strides[part]);
  std::vector<uint64_t> extents;
  for (const ChainPart &part : plan_.parts)
    extents.push_back(part.extent);
  return layOutFragment(std::move(axes), extents, vector);
}

void ChainEmitter::walk(
    const Fragment &fragment,
    const std::function<void(const std::string &offset, const std::string &flat)> &access) {
  LinearAddress offset, flat;
  size_t loops = 0;
  const size_t inRun = fragment.vector > 1 ? fragment.runAxes : 0;
  for (size_t i = fragment.axes.size(); i-- > inRun; ++loops) {
    const FragmentAxis &axis = fragment.axes[i];
    const ChainPart &part = plan_.parts[axis.axis];
    openLoop(part.name, part.extent);
    offset.add(part.name, axis.memoryStride);
    flat.add(part.name, axis.flatStride);
  }
  if (inRun > 0 && fragment.runElems > fragment.vector) {
    openLoop("i", fragment.runElems, fragment.vector);
    offset.add("i", 1);
    flat.add("i", 1);
    ++loops;
  }
  access(offset.text(), flat.text());
  for (; loops > 0; --loops)
    out_.close();
}

std::string ChainEmitter::flatIndex(const Names &parts) const {
  LinearAddress index;
  uint64_t stride = 1;
  for (const uint32_t part : parts) {
    if (plan_.parts[part].extent > 1)
      index.add(plan_.parts[part].name, stride);
    stride *= plan_.parts[part].extent;
  }
  return index.text();
}

uint64_t ChainEmitter::elems(const Names &parts) const {
  uint64_t count = 1;
  for (const uint32_t part : parts)
    count *= plan_.parts[part].extent;
  return count;
}

void ChainEmitter::loadFactors(size_t phase, size_t step) {
  const ChainStep &at = plan_.form.steps[step];
  MPF_CHECK(at.firstFactor + at.factorCount <= plan_.form.factors.size(),
            "{}: step {} has factors {} to {} of {}", plan_.name, step, at.firstFactor,
            at.firstFactor + at.factorCount, plan_.form.factors.size());
  for (uint32_t f = at.firstFactor; f < at.firstFactor + at.factorCount; ++f) {
    const Names parts = factorParts(plan_, phase, f);
    const std::vector<uint64_t> strides = partStrides(plan_, plan_.form.factors[f]);
    std::vector<uint32_t> fixed = plan_.outerParts;
    fixed.insert(fixed.end(), plan_.phases[phase].threadParts.begin(),
                 plan_.phases[phase].threadParts.end());
    const uint32_t site = sites_.add(SiteKind::GlobalLoad, fmt::format("operand f{}", f));
    out_.line("const {} *const f{}At = {};", ops_.type, f,
              pointerText(fmt::format("f{}", f), offsetOf(fixed, strides)));
    out_.line("{} f{}Reg[{}];", ops_.type, f, elems(parts));
    const uint32_t vector = factorVector(plan_, phase, f);
    walk(layOut(parts, strides, vector), [&](const std::string &offset, const std::string &flat) {
      load(fmt::format("f{}Reg", f), flat, fmt::format("f{}At[{}]", f, offset), vector, site,
           ops_.log ? fmt::format("f{}Form", f) : "");
    });
  }
}

void ChainEmitter::loadTile(size_t phase) {
  const ChainPhase &at = plan_.phases[phase];
  const Names parts = tileParts(plan_, phase, at.firstStep);
  const uint32_t vector = loadVector(plan_, phase);
  const uint32_t site = sites_.add(SiteKind::SharedLoad, "segment image", plan_.conflictFree);
  out_.line("{} {}[{}];", ops_.type, tileName(at.firstStep), elems(parts));
  walk(layOut(parts, at.stridesElems, vector),
       [&](const std::string &offset, const std::string &flat) {
         load(tileName(at.firstStep), flat, fmt::format("from[{}]", offset), vector, site, "");
       });
}

/// Returns the text of one value of the factors' product inside the step's loops; "" without
/// factors. If there are several factors, it prints statements that form an array of their
/// products.
std::string ChainEmitter::product(size_t phase, size_t step) {
  const ChainStep &at = plan_.form.steps[step];
  if (at.factorCount == 0)
    return {};
  const auto value = [&](uint32_t f) {
    return fmt::format("f{}Reg[{}]", f, flatIndex(factorParts(plan_, phase, f)));
  };
  if (at.factorCount == 1)
    return value(at.firstFactor);
  Names parts;
  for (uint32_t f = at.firstFactor; f < at.firstFactor + at.factorCount; ++f)
    for (const uint32_t part : factorParts(plan_, phase, f))
      if (std::find(parts.begin(), parts.end(), part) == parts.end())
        parts.push_back(part);
  const std::string name = fmt::format("p{}", step);
  out_.line("{} {}[{}];", ops_.type, name, elems(parts));
  size_t loops = 0;
  for (size_t i = parts.size(); i-- > 0; ++loops)
    openLoop(plan_.parts[parts[i]].name, plan_.parts[parts[i]].extent);
  std::string text = value(at.firstFactor);
  for (uint32_t f = at.firstFactor + 1; f < at.firstFactor + at.factorCount; ++f)
    text = ops_.combine(text, value(f));
  out_.line("{}[{}] = {};", name, flatIndex(parts), text);
  for (; loops > 0; --loops)
    out_.close();
  return fmt::format("{}[{}]", name, flatIndex(parts));
}

void ChainEmitter::computeStep(size_t phase, size_t step) {
  MPF_CHECK(step >= plan_.phases[phase].firstStep &&
                step < plan_.phases[phase].firstStep + plan_.phases[phase].stepCount,
            "{}: step {} is not of phase {}", plan_.name, step, phase);
  const Names before = tileParts(plan_, phase, step), after = tileParts(plan_, phase, step + 1);
  const std::string factors = product(phase, step);
  const std::string entry = fmt::format("{}[{}]", tileName(step), flatIndex(before));
  const std::string term = factors.empty() ? entry : ops_.combine(entry, factors);
  out_.line("{} {}[{}];", ops_.type, tileName(step + 1), elems(after));
  size_t loops = 1;
  out_.open("");
  for (size_t i = after.size(); i-- > 0; ++loops)
    openLoop(plan_.parts[after[i]].name, plan_.parts[after[i]].extent);
  const std::string target = fmt::format("{}[{}]", tileName(step + 1), flatIndex(after));
  const std::vector<bool> live = liveDigits(plan_.form, step + 1);
  Names reduced;
  for (const uint32_t part : plan_.phases[phase].registerParts)
    if (std::find(plan_.form.steps[step].reduced.begin(), plan_.form.steps[step].reduced.end(),
                  plan_.parts[part].digit) != plan_.form.steps[step].reduced.end())
      reduced.push_back(part);
  if (reduced.empty()) {
    out_.line("{} = {};", target, term);
  } else {
    out_.line("{} acc[1]{};", ops_.type, ops_.logSum ? ", accSum[1]" : "");
    out_.text(ops_.start("0"));
    for (size_t i = reduced.size(); i-- > 0;)
      openLoop(plan_.parts[reduced[i]].name, plan_.parts[reduced[i]].extent);
    out_.text(ops_.reduce("0", term));
    for (size_t i = 0; i < reduced.size(); ++i)
      out_.close();
    out_.line("{} = {};", target, ops_.total("0"));
  }
  for (; loops > 0; --loops)
    out_.close();
}

void ChainEmitter::writeTile(size_t phase) {
  const ChainPhase &at = plan_.phases[phase];
  const size_t end = at.firstStep + at.stepCount;
  MPF_CHECK(phase + 1 < plan_.phases.size(), "{}: no image behind phase {} of {}", plan_.name,
            phase, plan_.phases.size());
  const uint32_t vector = writeVector(plan_, phase);
  const uint32_t site = sites_.add(SiteKind::SharedStore, "segment image", plan_.conflictFree);
  walk(layOut(tileParts(plan_, phase, end), targetStrides(plan_, phase), vector),
       [&](const std::string &offset, const std::string &flat) {
         store(fmt::format("to[{}]", offset), tileName(end), flat, vector, site);
       });
}

void ChainEmitter::storeResult() {
  const size_t phase = plan_.phases.size() - 1, end = plan_.form.steps.size();
  const uint32_t vector = plan_.storeVector;
  const uint32_t site = sites_.add(SiteKind::GlobalStore, "result");
  walk(layOut(tileParts(plan_, phase, end), targetStrides(plan_, phase), vector),
       [&](const std::string &offset, const std::string &flat) {
         const std::string lane = vector == 1 ? "0" : "lane";
         std::string entry =
             fmt::format("{}[{}]", tileName(end), LinearAddress().add(flat, 1).add(lane, 1).text());
         if (ops_.scaled)
           entry = ops_.log ? fmt::format("{} - shift", entry) : fmt::format("rescale({})", entry);
         out_.line("{} entries[{}];", ops_.type, vector);
         if (vector > 1)
           openLoop("lane", vector);
         out_.line("entries[{}] = {};", lane, entry);
         if (ops_.scaled)
           out_.line("range.add(entries[{}]);", lane);
         if (vector > 1)
           out_.close();
         store(fmt::format("to[{}]", offset), "entries", "0", vector, site);
       });
}

} // namespace mpf
