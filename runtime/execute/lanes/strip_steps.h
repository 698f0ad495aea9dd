// The steps of a lane program as strips run them, with all addresses computed.
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
  const Butterfly *plan = nullptr; ///< a butterfly of the schedule
  std::vector<StripAddresses> addresses;
};

struct StripStep {
  bool runs = true; ///< false: a later step computes its result too
  // Members of a gather: the columns and strides of its codes.
  bool isGather = false;
  bool isIndicator = false; ///< the table has no entries; its stride is 1
  std::vector<uint32_t> columns;
  std::vector<uint64_t> strides;
  uint32_t table = 0;
  // Members of an operation: its operands by kind, with their addresses.
  std::vector<StripAddresses> addresses;  ///< by slot: operands, then the result
  uint64_t columnEntries = 1;             ///< values of c
  uint64_t rowEntries = 1;                ///< values of j
  std::vector<uint32_t> messages, shared; ///< operands, as indices in the operation
  std::vector<uint32_t> tables;           ///< by operand
  bool isMax = false;
  // Set at the last step of a butterfly.
  std::optional<StripButterfly> butterfly;
  // Set for all kinds:
  uint32_t result = 0; ///< a message
};

/// Returns the loops of each step; those of gathers and of butterflies are empty. `stretchBytes`:
/// bytes of one entry of a message, for all lanes of a strip. `entryBytes`: bytes of one entry of a
/// table that all lanes share.
std::vector<StripNest> stripNests(const LaneProgram &program, const StripSchedule &schedule,
                                  uint64_t stretchBytes, uint64_t entryBytes);

/// Returns the steps of the program. They refer to the schedule.
std::vector<StripStep> stripSteps(const LaneProgram &program, const StripSchedule &schedule,
                                  const std::vector<StripNest> &nests);

/// Returns the memory of the addresses of all steps and outputs; saturates. Call it before
/// stripSteps, which may need more memory than there is.
uint64_t stripAddressBytes(const LaneProgram &program, const StripSchedule &schedule,
                           const std::vector<StripNest> &nests);

} // namespace mpf
