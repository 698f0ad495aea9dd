// The candidates of families `stream` and `tile`: the splits of the digits into axes that are worth
// judging. Each of the five builders has its own .cpp file.
#pragma once

#include "codegen/kernel/build/assemble_plan.h"
#include "codegen/kernel/build/axis_divider.h"

#include <functional>
#include <vector>

namespace mpf {

/// An operand of at most this many entries per page may be held whole in registers by every thread.
inline constexpr uint64_t kUniformElems = 8;

/// Returns the modelled time of a candidate in microseconds; infinity when it does not fit the
/// target.
using Judge = std::function<double(const NestCandidate &)>;

/// One pass over the big tables: threads over the fastest kept digits, vectors along them or along
/// the reduced digits, several loads in flight (build_stream.cpp). Never empty.
std::vector<NestCandidate> streamCandidates(const DigitForm &form, const KernelOptions &options);

/// Register tiles over 1 to 3 kept digits, segments in shared memory (build_tile.cpp). Works in two
/// rounds: register tiles with a standard block first, then other block shapes for the tiles that
/// `judge` finds best.
std::vector<NestCandidate> tileCandidates(const DigitForm &form, const KernelOptions &options,
                                          const Judge &judge);

/// Rows of lanes along the result, register tiles over other digits, operands through L1
/// (build_rows.cpp). Two rounds, as tileCandidates; none for a scalar result.
std::vector<NestCandidate> rowCandidates(const DigitForm &form, const KernelOptions &options,
                                         const Judge &judge);

/// The tiles of `bases`, with pages copied to shared memory ahead of their use
/// (build_pipeline.cpp). Empty in log form and for whole numbers: asynchronous copies convert and
/// guard nothing (copiesSuffice in kernel_shape.h).
std::vector<NestCandidate> pipelineCandidates(const DigitForm &form, const KernelOptions &options,
                                              const std::vector<NestCandidate> &bases,
                                              const Judge &judge);

/// The scheme of ICS'08 (sections 5 and 6) with a cache tag of options.tagDigits digits
/// (build_tag.cpp). Throws Error(Usage) when the tag has more outputs than a block may have
/// threads.
NestCandidate tagCandidate(const DigitForm &form, const KernelOptions &options);

/// Kept digits, the one with the smallest stride in `access` first; digits outside it last.
std::vector<DigitId> keptByStride(const DigitForm &form, const DigitAccess &access);
/// The operand with the most bytes.
const DigitAccess &largestOperand(const DigitForm &form, ElementType type);

/// How many lanes along the result's fastest digit fill a sector when each stores `vectorElems`
/// neighbours; at least 1. Other numbers of lanes leave sectors that two stores fill in part each.
uint64_t lanesOfSector(uint64_t vectorElems, ElementType type);

/// Makes a block axis of what `divider` has left of every kept digit, and page axes of what
/// exceeds the limit of the grid.
void takeBlocks(AxisDivider &divider, const DigitForm &form);
/// Makes sum axes of about `chunk` terms of the least significant reduced digits, and page axes of
/// the rest. Unrolls the innermost sum axes as long as the unrolled body has at most `bodyTerms`
/// terms.
void takeSums(AxisDivider &divider, const DigitForm &form, uint64_t chunk, uint64_t bodyTerms);

/// How many terms of the sums, 1 to 32, one unrolled body may have with the register axes in
/// `axes`. The size of the body is bounded. With `fromGlobal` (operands are read from global
/// memory) so are its loads: a compiler issues them ahead of the arithmetic, and each load in
/// flight needs registers.
uint64_t unrolledTerms(const DigitForm &form, const KernelOptions &options,
                       const std::vector<Axis> &axes, bool fromGlobal);

} // namespace mpf
