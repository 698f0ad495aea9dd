#include "codegen/kernel/plan/chain_shape.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

uint64_t partStride(const ChainPlan &plan, const DigitAccess &access, uint32_t part) {
  return access.stridesElems[plan.parts[part].digit.index()] * plan.parts[part].step;
}

std::vector<uint64_t> partStrides(const ChainPlan &plan, const DigitAccess &access) {
  std::vector<uint64_t> strides(plan.parts.size());
  for (uint32_t part = 0; part < strides.size(); ++part)
    strides[part] = partStride(plan, access, part);
  return strides;
}

std::vector<uint64_t> targetStrides(const ChainPlan &plan, size_t phase) {
  MPF_CHECK(phase < plan.phases.size(), "the target of phase {} of {}", phase, plan.phases.size());
  return phase + 1 < plan.phases.size() ? plan.phases[phase + 1].stridesElems
                                        : partStrides(plan, plan.form.result);
}

bool isLive(const ChainPlan &plan, uint32_t part, size_t step) {
  return liveDigits(plan.form, step)[plan.parts[part].digit.index()];
}

std::vector<uint32_t> tileParts(const ChainPlan &plan, size_t phase, size_t step) {
  const ChainPhase &at = plan.phases[phase];
  MPF_CHECK(step >= at.firstStep && step <= at.firstStep + at.stepCount,
            "the tile of phase {} before step {}, it has steps {} to {}", phase, step, at.firstStep,
            at.firstStep + at.stepCount);
  const std::vector<bool> live = liveDigits(plan.form, step);
  std::vector<uint32_t> parts;
  for (const uint32_t part : at.registerParts)
    if (live[plan.parts[part].digit.index()])
      parts.push_back(part);
  const std::vector<uint64_t> strides =
      step == at.firstStep + at.stepCount ? targetStrides(plan, phase) : at.stridesElems;
  // Introduced parts are in no image yet, so they come last until the end of the phase.
  const auto place = [&](uint32_t part) { return strides[part] - 1; };
  std::stable_sort(parts.begin(), parts.end(),
                   [&](uint32_t a, uint32_t b) { return place(a) < place(b); });
  return parts;
}

uint64_t tileElems(const ChainPlan &plan, size_t phase, size_t step) {
  uint64_t elems = 1;
  for (const uint32_t part : tileParts(plan, phase, step))
    elems = saturatingMul(elems, plan.parts[part].extent);
  return elems;
}

uint64_t busyThreads(const ChainPlan &plan, size_t phase) {
  uint64_t threads = 1;
  for (const uint32_t part : plan.phases[phase].threadParts)
    threads = saturatingMul(threads, plan.parts[part].extent);
  return threads;
}

uint64_t fetchThreads(const ChainPlan &plan) {
  uint64_t threads = 1;
  for (const ChainSlot &slot : plan.fetch.threadSlots)
    threads = saturatingMul(threads, slot.extent);
  return threads;
}

uint64_t pageCount(const ChainPlan &plan) {
  uint64_t pages = 1;
  for (const uint32_t part : plan.outerParts)
    pages = saturatingMul(pages, plan.parts[part].extent);
  return pages;
}

bool isOuter(const ChainPlan &plan, uint32_t part) {
  return std::find(plan.outerParts.begin(), plan.outerParts.end(), part) != plan.outerParts.end();
}

std::vector<uint32_t> pageParts(const ChainPlan &plan) {
  std::vector<uint32_t> parts;
  for (uint32_t part = 0; part < plan.parts.size(); ++part)
    if (partStride(plan, plan.form.message, part) != 0 && !isOuter(plan, part))
      parts.push_back(part);
  std::stable_sort(parts.begin(), parts.end(), [&](uint32_t a, uint32_t b) {
    return partStride(plan, plan.form.message, a) < partStride(plan, plan.form.message, b);
  });
  return parts;
}

std::vector<uint32_t> factorParts(const ChainPlan &plan, size_t phase, uint32_t factor) {
  MPF_CHECK(factor < plan.form.factors.size(), "factor {} of {}", factor, plan.form.factors.size());
  const DigitAccess &access = plan.form.factors[factor];
  std::vector<uint32_t> parts;
  for (const uint32_t part : plan.phases[phase].registerParts)
    if (partStride(plan, access, part) != 0)
      parts.push_back(part);
  std::stable_sort(parts.begin(), parts.end(), [&](uint32_t a, uint32_t b) {
    return partStride(plan, access, a) < partStride(plan, access, b);
  });
  return parts;
}

uint64_t factorEntries(const ChainPlan &plan, size_t phase, uint32_t factor) {
  uint64_t entries = 1;
  for (const uint32_t part : factorParts(plan, phase, factor))
    entries = saturatingMul(entries, plan.parts[part].extent);
  return entries;
}

uint32_t widestVector(std::vector<std::pair<uint64_t, uint64_t>> inside,
                      const std::vector<uint64_t> &outside, unsigned elementBytes) {
  std::sort(inside.begin(), inside.end());
  uint64_t run = 1, beyond = 0; // beyond: bits of all strides that no access may cross
  for (const auto &[stride, extent] : inside)
    if (stride == run)
      run *= extent;
    else
      beyond |= stride;
  for (const uint64_t stride : outside)
    beyond |= stride;
  uint32_t vector = 16 / elementBytes;
  while (vector > 1 && (run % vector != 0 || beyond % vector != 0))
    vector /= 2;
  return vector;
}

namespace {

/// Returns the widest vector with which a thread accesses its tile of `parts` by `strides`.
uint32_t tileVector(const ChainPlan &plan, size_t phase, const std::vector<uint32_t> &parts,
                    const std::vector<uint64_t> &strides) {
  std::vector<std::pair<uint64_t, uint64_t>> inside;
  for (const uint32_t part : parts)
    inside.emplace_back(strides[part], plan.parts[part].extent);
  std::vector<uint64_t> outside;
  for (const uint32_t part : plan.phases[phase].threadParts)
    outside.push_back(strides[part]);
  for (const uint32_t part : plan.outerParts)
    outside.push_back(strides[part]);
  return widestVector(std::move(inside), outside, elementBytes(plan.type));
}

} // namespace

uint32_t loadVector(const ChainPlan &plan, size_t phase) {
  const ChainPhase &at = plan.phases[phase];
  return tileVector(plan, phase, tileParts(plan, phase, at.firstStep), at.stridesElems);
}

uint32_t writeVector(const ChainPlan &plan, size_t phase) {
  const ChainPhase &at = plan.phases[phase];
  return tileVector(plan, phase, tileParts(plan, phase, at.firstStep + at.stepCount),
                    targetStrides(plan, phase));
}

uint32_t factorVector(const ChainPlan &plan, size_t phase, uint32_t factor) {
  return tileVector(plan, phase, factorParts(plan, phase, factor),
                    partStrides(plan, plan.form.factors[factor]));
}

uint32_t widestFetch(const ChainPlan &plan) {
  const std::vector<uint32_t> parts = pageParts(plan);
  const std::vector<uint64_t> strides = partStrides(plan, plan.form.message);
  std::vector<std::pair<uint64_t, uint64_t>> inside;
  std::vector<uint64_t> outside;
  for (const uint32_t part : parts)
    inside.emplace_back(strides[part], plan.parts[part].extent);
  for (const uint32_t part : plan.outerParts)
    outside.push_back(strides[part]);
  uint32_t vector = widestVector(std::move(inside), outside, elementBytes(plan.type));
  const auto endsInside = [&](uint64_t left) {
    for (const uint32_t part : parts) {
      const uint64_t extent = plan.parts[part].extent;
      MPF_CHECK(extent > 0 && left > 0, "vectors of {} entries of a part of {}", left, extent);
      if (extent % left == 0)
        return true;
      if (left % extent != 0)
        return false;
      left /= extent;
    }
    return left == 1;
  };
  while (!endsInside(vector))
    vector /= 2;
  return vector;
}

uint32_t fetchStoreVector(const ChainPlan &plan) {
  const std::vector<uint64_t> &image = plan.phases.front().stridesElems;
  MPF_CHECK(image.size() == plan.parts.size(), "image 0 has {} strides for {} parts", image.size(),
            plan.parts.size());
  uint64_t run = 1, beyond = 0, left = plan.fetch.vector;
  bool together = true;
  for (const uint32_t part : pageParts(plan)) { // nearest in the message first
    const uint64_t extent = plan.parts[part].extent;
    const uint64_t inside = std::min(left, extent);
    left = std::max<uint64_t>(1, left / extent);
    together = together && image[part] == run;
    if (together)
      run *= inside;
    if (!together || inside < extent)
      beyond |= image[part] * (together ? inside : 1);
  }
  uint32_t vector = plan.fetch.vector;
  while (vector > 1 && (run % vector != 0 || beyond % vector != 0))
    vector /= 2;
  return vector;
}

std::vector<uint64_t> threadOffsets(const std::vector<ChainSlot> &slots,
                                    const std::vector<uint64_t> &strides, uint64_t first,
                                    uint64_t count) {
  std::vector<uint64_t> offsets;
  for (uint64_t thread = first; thread < first + count; ++thread) {
    uint64_t rest = thread, offset = 0;
    for (const ChainSlot &slot : slots) {
      offset += rest % slot.extent * slot.step * strides[slot.part];
      rest /= slot.extent;
    }
    offsets.push_back(offset);
  }
  return offsets;
}

std::vector<ChainSlot> threadSlots(const ChainPlan &plan, size_t phase) {
  std::vector<ChainSlot> slots;
  for (const uint32_t part : plan.phases[phase].threadParts)
    slots.push_back({part, plan.parts[part].extent, 1});
  return slots;
}

} // namespace mpf
