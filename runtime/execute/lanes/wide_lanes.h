// Answers cases one by one in wide numbers (wide_number.h): slow, but right for all values. Used
// for the cases that linear executors leave out.
#pragma once

#include "codegen/bundle/lanes/common_tables.h"
#include "codegen/bundle/lanes/lane_addresses.h"
#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/execute/lanes/lane_traceback.h"

#include <span>

namespace mpf {

class WideLanes {
public:
  /// Keeps references to both arguments.
  WideLanes(const LaneProgram &program, const CommonTables &common);

  /// Returns the memory of an object, including temporary memory for one case; saturates.
  static uint64_t bytes(const LaneProgram &program);

  /// Answers case `i` of the block. Several objects may answer cases of a block at one time.
  void run(const CaseBlock &block, uint32_t i, CaseAnswers &answers);

private:
  void loadWeights(const CaseBlock &block, uint32_t i);
  void gather(const LaneGather &gather, const CaseBlock &block, uint32_t i);
  void writeAllowed(const LaneGather &gather, uint32_t code);
  void write(size_t output, uint32_t i, CaseTable &table) const;
  const WideNumber *entriesOf(uint32_t table) const;

  const LaneProgram &program_;
  const CommonTables &common_;
  const LaneDecoder decoder_;
  std::vector<std::vector<uint64_t>> outputs_; ///< outputAddresses, by output
  std::vector<WideNumber> arena_;              ///< messages
  std::vector<std::vector<WideNumber>> weights_;
};

} // namespace mpf
