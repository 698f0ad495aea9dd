// Quantities that follow from a chain plan (chain_plan.h). The cost model, the verifier and the
// emitter all call these functions, so that they cannot disagree. Strides and offsets are in
// elements; *nearest* means of the smallest stride.
#pragma once

#include "codegen/kernel/plan/chain_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Stride of `part` in the table that `access` describes; 0 where the part is not in its scope.
uint64_t partStride(const ChainPlan &plan, const DigitAccess &access, uint32_t part);

/// Whether `part` is in the message before step `step` (`step` = number of steps: in the result).
bool isLive(const ChainPlan &plan, uint32_t part, size_t step);

/// Register parts of a phase that are in its tile before step `step`, nearest first. "Nearest" is
/// by the strides of the image that the phase reads or, at the end of the phase, of the next image
/// or the result. Parts introduced within the phase come last.
std::vector<uint32_t> tileParts(const ChainPlan &plan, size_t phase, size_t step);
/// Entries of the tile before step `step`.
uint64_t tileElems(const ChainPlan &plan, size_t phase, size_t step);

/// Threads that hold a tile in `phase`. The other threads of the block compute copies of these
/// tiles and store nothing.
uint64_t busyThreads(const ChainPlan &plan, size_t phase);
/// Threads that take part in the fetch of a page.
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

/// The widest vector access that is contiguous and always aligned: a power of two elements, at most
/// 16 bytes. `inside` are (stride, extent) of the parts that one thread iterates over, `outside`
/// the strides of everything else that changes the address.
uint32_t widestVector(std::vector<std::pair<uint64_t, uint64_t>> inside,
                      const std::vector<uint64_t> &outside, unsigned elementBytes);

// Vector widths, in elements:
/// Loads of the tile from the image of `phase`.
uint32_t loadVector(const ChainPlan &plan, size_t phase);
/// Stores of the tile at the end of `phase`, into the next image or the result.
uint32_t writeVector(const ChainPlan &plan, size_t phase);
/// Loads of a factor's entries.
uint32_t factorVector(const ChainPlan &plan, size_t phase, uint32_t factor);
/// Stores of fetched entries into the first image.
uint32_t fetchStoreVector(const ChainPlan &plan);
/// The widest allowed loads of the message. A vector covers whole parts and an equal share of at
/// most one more.
uint32_t widestFetch(const ChainPlan &plan);

/// The offsets of threads [first, first + count) of the block. The thread number is a mixed-radix
/// number over `slots`, first fastest; one value of a part adds strides[part].
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
