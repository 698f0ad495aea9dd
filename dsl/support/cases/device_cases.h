// Cases and answers in the memory of a GPU, in the layout of the kernels of lanes. A program whose
// rows are there keeps them there, and nothing is copied (CaseSession::runOnDevice).
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

/// The places of a case's input and answers in device memory. A session keeps its layout; another
/// session of the same program may have a different one.
///
/// All arrays are tables of rows: the element of row r and case i is at [r * pitch + i].
struct DeviceCaseLayout {
  /// The code of a column (CaseSchema::observed): a state, or the variable's extent if the case
  /// does not observe it. words[word] |= code << shift.
  struct Code {
    uint32_t word = 0; ///< row of the words
    uint32_t shift = 0;
  };
  /// A table of answers, row-major over its variables, one row for each entry. The value is results
  /// * 2^(exponent + exponents[exponentRow]). Entries of posteriors are results divided by the sum
  /// of the table's results.
  struct Table {
    std::string name;
    uint64_t firstRow = 0, rows = 1; ///< rows of the results
    bool isPosterior = false;
    int64_t exponent = 0;
    std::optional<uint64_t> exponentRow; ///< none: 0
  };

  uint64_t wordRows = 0;   ///< rows of uint32_t
  std::vector<Code> codes; ///< by column
  uint64_t weightRows = 0; ///< rows of likelihoods, then of given tables (CaseBlock::weights)
  bool isDouble = true;    ///< whether weights and results are double; else float
  uint64_t resultRows = 0;
  std::vector<Table> tables;
  uint64_t exponentRows = 0; ///< rows of int32_t
  uint64_t stateRows = 0;    ///< rows of uint32_t for best assignments: one for each variable
};

/// Arrays in device memory. An array without rows may be 0. Codes above the extent, and weights
/// that are negative or not finite, are not detected: they read outside of a table.
struct DeviceCaseBlock {
  uint32_t count = 0;
  uint32_t pitch = 0;              ///< elements from row to row of every array; at least `count`
  uint64_t words = 0, weights = 0; ///< arrays that are read
  /// Arrays that are written. If a case leaves linear arithmetic, its first result is NaN and its
  /// other answers are undefined: CaseSession::run answers it. States of a case whose value is 0
  /// are undefined too.
  uint64_t results = 0, exponents = 0, states = 0;
};

} // namespace mpf
