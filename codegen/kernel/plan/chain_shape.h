// What a chain plan implies: asked by the model, the verifier and the emitter, answered in one
// place.
#pragma once

#include "codegen/kernel/plan/chain_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Entries by which a step of `part` moves in a table.
uint64_t partStride(const ChainPlan &plan, const DigitAccess &access, uint32_t part);

/// Whether `part` is in the message before step `step` (steps.size(): in the result).
bool isLive(const ChainPlan &plan, uint32_t part, size_t step);

/// Register parts of a phase that are in its tile before step `step`, nearest first: by the image
/// (first step of the phase), by where the tile goes (end of the phase), else in plan order.
std::vector<uint32_t> tileParts(const ChainPlan &plan, size_t phase, size_t step);
/// Entries of the tile before step `step`.
uint64_t tileElems(const ChainPlan &plan, size_t phase, size_t step);

/// Threads that hold a tile in `phase`; the others repeat one and store nothing.
uint64_t busyThreads(const ChainPlan &plan, size_t phase);
uint64_t fetchThreads(const ChainPlan &plan);
uint64_t pageCount(const ChainPlan &plan);

/// Whether `part` is fixed by the page number.
bool isOuter(const ChainPlan &plan, uint32_t part);

/// Parts of the message that belong to its page, nearest first.
std::vector<uint32_t> pageParts(const ChainPlan &plan);

/// Parts of factor `factor` that are in registers while its step runs, nearest entries first.
std::vector<uint32_t> factorParts(const ChainPlan &plan, size_t phase, uint32_t factor);

/// Entries of factor `factor` in the registers of a thread.
uint64_t factorEntries(const ChainPlan &plan, size_t phase, uint32_t factor);

/// Elements per access, a power of two of at most 16 bytes: `inside` are (stride, extent) of the
/// parts that one thread walks over, `outside` the strides of everything else that moves the
/// address. Contiguous entries only, every access aligned.
uint32_t widestVector(std::vector<std::pair<uint64_t, uint64_t>> inside,
                      const std::vector<uint64_t> &outside, unsigned elementBytes);

/// Widths of vector accesses, in elements: of loads of the tile from its image, of stores of the
/// tile to the next image or to the result, of loads of a factor's entries, and of stores of what a
/// fetch brought into shared memory.
uint32_t loadVector(const ChainPlan &plan, size_t phase);
uint32_t writeVector(const ChainPlan &plan, size_t phase);
uint32_t factorVector(const ChainPlan &plan, size_t phase, uint32_t factor);
uint32_t fetchStoreVector(const ChainPlan &plan);
/// The widest vector for fetches from global memory: it covers whole parts of a page, or an equal
/// share of one part.
uint32_t widestFetch(const ChainPlan &plan);

/// Offsets that threads [first, first + count) of the block give by `slots` (first fastest), where
/// one value of a part moves by strides[part].
std::vector<uint64_t> threadOffsets(const std::vector<ChainSlot> &slots,
                                    const std::vector<uint64_t> &strides, uint64_t first,
                                    uint64_t count);
/// The thread parts of a phase as slots.
std::vector<ChainSlot> threadSlots(const ChainPlan &plan, size_t phase);
/// Strides of all parts in a table.
std::vector<uint64_t> partStrides(const ChainPlan &plan, const DigitAccess &access);
/// Strides of all parts where the tile of `phase` goes: the next image, or the result.
std::vector<uint64_t> targetStrides(const ChainPlan &plan, size_t phase);

} // namespace mpf
