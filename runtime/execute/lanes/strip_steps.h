// The steps of a lane program as strips run them: with all addresses worked out.
#pragma once

#include "codegen/bundle/lanes/lane_addresses.h"
#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct StripStep {
  // A gather: the columns and strides of its codes.
  bool isGather = false;
  bool isIndicator = false; ///< of a table without entries; its stride is 1
  std::vector<uint32_t> columns;
  std::vector<uint64_t> strides;
  uint32_t table = 0;
  // An operation: its operands by kind, with their addresses.
  LaneAddresses addresses;
  std::vector<uint32_t> messages, shared; ///< operands, as places in the operation
  std::vector<uint32_t> tables;           ///< by operand
  bool isMax = false;
  // Both:
  uint32_t result = 0; ///< a message
};

std::vector<StripStep> stripSteps(const LaneProgram &program);

/// Of the addresses of all steps and outputs; saturates.
uint64_t stripAddressBytes(const LaneProgram &program);

} // namespace mpf
