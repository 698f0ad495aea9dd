// LANE PROGRAM: a program that answers a query for many cases (rows of evidence), as plain data.
//
// Cases are computed side by side, each in a *lane*: a lane of a vector register on the CPU, a
// thread of a GPU. Tables that no case changes are computed once (`commonOperations`). The other
// tables, the *messages*, are computed in the lane of each case (`steps`).
//
// An *evidence digit* represents an observed variable of k states: its values 0 to k - 1 are these
// states, k means that the variable is not observed. So a table over evidence digits holds the
// answers for all findings on its variables, and a case only picks a row of it by its codes
// (LaneGather). If such a table would be large, the lane multiplies messages instead
// (LaneOperation). codegen/lanes/build_lane_program.h decides between the two.
//
// codegen/lanes makes lane programs, print_lane_program.h prints them, read_lane_program.h reads
// them back, verify_lane_program.h checks them, runtime/execute/lanes runs them. Depends on
// dsl/support only.
#pragma once

#include "codegen/bundle/head/program_head.h"
#include "dsl/support/format_id.h"
#include "dsl/support/strided_operation.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mpf {

/// The most operands of one lane operation.
inline constexpr size_t kMaxLaneOperands = 8;

enum class LaneTableKind {
  Values, ///< values of a factor as declared, or of a table that the program made
  Common, ///< result of a common operation
  /// The states that an evidence digit allows. Entry (code, state), row-major, is 1 if the state is
  /// the code or the code means "not observed", else 0. The table has no storage, which would grow
  /// with the square of the states: the reader of a row computes the row.
  Indicator,
  Weights, ///< weights in each case: of the states of a likelihood, or the entries of a table
  Message, ///< result of a step: one table for each lane
};

struct LaneTable {
  std::string name;
  LaneTableKind kind = LaneTableKind::Message;
  uint64_t sizeElems = 0;   ///< Weights, Message: of one case
  uint64_t offsetElems = 0; ///< Message: place in the arena of a lane
  /// Values: index into LaneProgram::values; Weights: number of the likelihood or table
  /// (CaseSchema::weightTableElems); Indicator: into schema.observed.
  uint32_t source = 0;

  bool perCase() const { return kind == LaneTableKind::Weights || kind == LaneTableKind::Message; }
};

/// The values of a table of kind Values, or none if a host program binds them.
struct LaneValues {
  std::string factor; ///< empty for a table that the program made
  uint64_t sizeElems = 0;
  std::shared_ptr<const std::vector<double>> values; ///< as StoredValues reads them (wide_table.h)
  uint64_t rowElems = 0; ///< row of a conditional table, which sums to 1; else 0
};

struct LaneAccess {
  uint32_t table = 0;
  uint64_t baseElems = 0; ///< offset of address 0, which depends on fixed states
  std::vector<uint64_t> stridesElems;
};

/// result = reduce over the reduced digits of combine(operands). Common operations read Values,
/// Common tables and Indicators and write Common tables; those of steps write a message and may
/// read tables of any kind but Indicators.
struct LaneOperation : StridedOperation<StridedDigit, LaneAccess> {};

/// An evidence digit that selects a row of a table: it moves by code * strideElems.
struct LaneCode {
  uint32_t column = 0; ///< index into CaseSchema::observed
  uint64_t strideElems = 0;
};

/// message[e] = table[sum of code * strideElems + e] for every entry e of the message.
struct LaneGather {
  uint32_t table = 0;   ///< Values or Common, or, with one code, an Indicator
  uint32_t message = 0; ///< receives the entries of the row
  std::vector<LaneCode> codes;
};

using LaneStep = std::variant<LaneGather, LaneOperation>;

/// A result for each case: `access` has one digit for each variable of the scope, in its order.
struct LaneOutput : HeadOutput {
  std::vector<uint32_t> extents; ///< one per variable
  LaneAccess access;             ///< reads a message

  uint64_t sizeElems() const {
    uint64_t size = 1;
    for (const uint32_t extent : extents)
      size *= extent;
    return size;
  }
};

/// A table that decoding reads at the states chosen so far.
struct LaneDecoded {
  LaneAccess access; ///< reads a message or a common table; a stride for each variable of `scope`
  std::vector<VarId> scope;
};
using LaneTraceback = DecodingStep<LaneDecoded>;

/// A table that a query asks for.
struct LaneAsked {
  std::vector<VarId> variables; ///< in the order asked for; the output lacks those that are fixed
  /// `P(x | y)`: for each joint state of so many first variables the entries sum to 1. The output
  /// is the joint posterior, which readers divide. 0: none has a sum apart.
  uint32_t rowVariables = 0;
};

struct LaneProgram : ProgramHead {
  Semiring semiring; ///< of every operation
  /// The tables asked for, which are the last outputs, in their order. Empty: a number or the
  /// posteriors of the variables.
  std::vector<LaneAsked> asked;
  std::vector<LaneValues> values;
  std::vector<LaneTable> tables;
  std::vector<LaneOperation> commonOperations; ///< in execution order
  std::vector<LaneStep> steps;                 ///< in execution order
  std::vector<LaneOutput> outputs;
  std::vector<LaneTraceback> traceback;
  uint64_t laneElems = 0; ///< entries of the arena of one lane
};

} // namespace mpf
