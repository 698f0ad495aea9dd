// The steps of a lane program as strips run them: with all addresses worked out.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "runtime/execute/lanes/strip_nest.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The addresses of a slot: entry (o, i, c, j) of the result and its r-th term are at
/// outer[o] + inner[i] + c * columnStride + j * rowStride + reduced[r]; outer contains the base of
/// the access.
struct StripAddresses {
  std::vector<uint64_t> outer, inner, reduced;
  uint64_t columnStride = 0, rowStride = 0;
};

struct StripStep {
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
  // Both:
  uint32_t result = 0; ///< a message
};

/// By step; those of gathers are empty. `entryBytes`: of one entry of a message, for all lanes of a
/// strip.
std::vector<StripNest> stripNests(const LaneProgram &program, uint64_t entryBytes);

std::vector<StripStep> stripSteps(const LaneProgram &program, const std::vector<StripNest> &nests);

/// Of the addresses of all steps and outputs; saturates. To be asked before stripSteps, which may
/// need more memory than there is.
uint64_t stripAddressBytes(const LaneProgram &program, const std::vector<StripNest> &nests);

} // namespace mpf
