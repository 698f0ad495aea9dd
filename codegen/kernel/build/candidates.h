// The candidates of each family: which splits of the digits are worth judging. One file each.
#pragma once

#include "codegen/kernel/build/assemble_plan.h"
#include "codegen/kernel/build/digit_splitter.h"

#include <functional>
#include <vector>

namespace mpf {

/// Entries of an operand per page that every thread may hold in registers.
inline constexpr uint64_t kUniformElems = 8;

/// Modelled time of a candidate; infinite when it does not fit the target.
using Judge = std::function<double(const Candidate &)>;

/// One pass over the big tables: threads over the fastest kept digits, vectors along them or along
/// the reduced digits, several loads in flight (build_stream.cpp). Never empty.
std::vector<Candidate> streamCandidates(const DigitForm &form, const KernelOptions &options);

/// Register tiles over 1 to 3 kept digits, segments in shared memory (build_tile.cpp). Two rounds:
/// tiles with a standard block first, then block shapes for the best of them, hence the judge.
std::vector<Candidate> tileCandidates(const DigitForm &form, const KernelOptions &options,
                                      const Judge &judge);

/// Rows of lanes along the result, register tiles over other digits, operands through L1
/// (build_rows.cpp). Two rounds, as above; none for a scalar result.
std::vector<Candidate> rowCandidates(const DigitForm &form, const KernelOptions &options,
                                     const Judge &judge);

/// Tiles of `bases` with pages in flight (build_pipeline.cpp): linear form only.
std::vector<Candidate> pipelineCandidates(const DigitForm &form, const KernelOptions &options,
                                          const std::vector<Candidate> &bases, const Judge &judge);

/// The ICS'08 scheme with a cache tag of options.tagDigits digits (build_tag.cpp). Throws
/// Error(Usage) when the tag has more outputs than a block may have threads.
Candidate tagCandidate(const DigitForm &form, const KernelOptions &options);

/// Kept digits, the one with the smallest stride in `access` first; digits outside it last.
std::vector<DigitId> keptByStride(const DigitForm &form, const DigitAccess &access);
/// The operand with the most bytes.
const DigitAccess &largestOperand(const DigitForm &form, ElementType type);

/// Lanes along the result's fastest digit, with so many neighbours each, that fill a sector: other
/// numbers of them leave sectors that two stores fill.
uint64_t lanesOfSector(uint64_t vectorElems, ElementType type);

/// What is left of every kept digit becomes a block axis (a page axis beyond the grid's limit).
void takeBlocks(DigitSplitter &splitter, const DigitForm &form);
/// About `chunk` terms of the least significant reduced digits become sum axes, the rest page axes.
/// The innermost axes are unrolled as long as an unrolled body has at most `bodyTerms` terms.
void takeSums(DigitSplitter &splitter, const DigitForm &form, uint64_t chunk, uint64_t bodyTerms);

/// How many terms of the sums may stand in one unrolled body around these register axes: bounded by
/// its size and, where operands are read from global memory, by the loads that a compiler would
/// issue ahead of the arithmetic, into registers that are not there.
uint64_t unrolledTerms(const DigitForm &form, const KernelOptions &options,
                       const std::vector<Axis> &axes, bool fromGlobal);

} // namespace mpf
