// Finds the steps of a lane program that read a table.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

class StepReaders {
public:
  explicit StepReaders(const LaneProgram &program);

  /// Returns the steps that read a message, ascending.
  const std::vector<uint32_t> &of(uint32_t table) const { return steps_[table]; }
  /// True if an output or the traceback reads the table after all steps.
  bool isReadAtEnd(uint32_t table) const { return atEnd_[table] != 0; }

private:
  std::vector<std::vector<uint32_t>> steps_; ///< by table
  std::vector<char> atEnd_;                  ///< by table
};

} // namespace mpf
