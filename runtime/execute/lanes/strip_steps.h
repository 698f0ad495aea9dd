// The steps of a lane program as strips run them: with all addresses worked out.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "runtime/execute/lanes/strip_nest.h"
#include "runtime/execute/lanes/strip_schedule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf {

/// The addresses of a slot: entry (o, i, c, j) of the result and its r-th term are at
/// outer[o] + inner[i] + c * columnStride + j * rowStride + reduced[r]; outer contains the base of
/// the access.
struct StripAddresses {
  std::vector<uint64_t> outer, inner, reduced;
  uint64_t columnStride = 0, rowStride = 0;
};

/// The addresses of a butterfly's passive entries, by slot: input, tables, result. Each takes
/// outer[o] + inner[i]; outer contains the base of the access.
struct StripButterfly {
  const Butterfly *plan = nullptr; ///< of the schedule
  std::vector<StripAddresses> addresses;
};

struct StripStep {
  bool runs = true; ///< false: a later step computes it too
  // A gather: the columns and strides of its codes.
  bool isGather = false;
  bool isIndicator = false; ///< of a table without entries; its stride is 1
  std::vector<uint32_t> columns;
  std::vector<uint64_t> strides;
  uint32_t table = 0;
  // An operation: its operands by kind, with their addresses.
  std::vector<StripAddresses> addresses;  ///< by slot: operands, then the result
  uint64_t columnEntries = 1;             ///< values of c
  uint64_t rowEntries = 1;                ///< values of j
  std::vector<uint32_t> messages, shared; ///< operands, as places in the operation
  std::vector<uint32_t> tables;           ///< by operand
  bool isMax = false;
  // A butterfly, at its last step.
  std::optional<StripButterfly> butterfly;
  // All:
  uint32_t result = 0; ///< a message
};

/// By step; those of gathers and of butterflies are empty. `stretchBytes`: of one entry of a
/// message, for all lanes of a strip; `entryBytes`: of a table that all lanes share.
std::vector<StripNest> stripNests(const LaneProgram &program, const StripSchedule &schedule,
                                  uint64_t stretchBytes, uint64_t entryBytes);

/// By step of the program. They refer to the schedule.
std::vector<StripStep> stripSteps(const LaneProgram &program, const StripSchedule &schedule,
                                  const std::vector<StripNest> &nests);

/// Of the addresses of all steps and outputs; saturates. To be asked before stripSteps, which may
/// need more memory than there is.
uint64_t stripAddressBytes(const LaneProgram &program, const StripSchedule &schedule,
                           const std::vector<StripNest> &nests);

} // namespace mpf
