// Cases and answers in the memory of a GPU, as the kernels of lanes read and write them: a program
// that has its rows there keeps them there, and nothing is copied (CaseSession::runOnDevice).
//
// Depends on no header of CUDA: pointers are CUdeviceptr, streams CUstream, both of the device's
// primary context, which is that of the CUDA runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Where a session looks for what a case sets, and where it leaves the answers. It never changes in
/// the life of a session; another session of the same program may have another one.
///
/// All arrays are tables of rows: what stands in row r for case i is at [r * pitch + i], in
/// elements of the array.
struct DeviceCaseLayout {
  /// The code of a column (CaseSchema::observed): a state, or the variable's extent where the case
  /// does not observe it. words[word] |= code << shift.
  struct Code {
    uint32_t word = 0; ///< row of the words
    uint32_t shift = 0;
  };
  /// A table of answers, row-major over its variables, one row for each entry. The value is
  /// results * 2^(exponent + exponents[exponentRow]); of posteriors it is results over the sum of
  /// the table's.
  struct Table {
    std::string name;
    uint64_t firstRow = 0, rows = 1; ///< of the results
    bool isPosterior = false;
    int64_t exponent = 0;
    std::optional<uint64_t> exponentRow; ///< none: 0
  };

  uint64_t wordRows = 0;   ///< of uint32_t
  std::vector<Code> codes; ///< by column
  uint64_t weightRows = 0; ///< of likelihoods, then of tables that cases give (CaseBlock::weights)
  bool isDouble = true;    ///< weights and results are double, else float
  uint64_t resultRows = 0;
  std::vector<Table> tables;
  uint64_t exponentRows = 0; ///< of int32_t
  uint64_t stateRows = 0;    ///< of uint32_t, of best assignments: one for each variable
};

/// Arrays in device memory. Those of no rows may be 0; codes above the extent, and weights that are
/// negative or not finite, are not looked for: they read beside a table.
struct DeviceCaseBlock {
  uint32_t count = 0;
  uint32_t pitch = 0;              ///< elements from row to row of every array; at least count
  uint64_t words = 0, weights = 0; ///< read
  /// Written. The first result of a case that leaves linear arithmetic is NaN, and its other
  /// answers mean nothing: CaseSession::run answers it. Nor do states of a case whose value is 0.
  uint64_t results = 0, exponents = 0, states = 0;
};

} // namespace mpf
