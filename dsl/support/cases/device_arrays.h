// Cases and answers in arrays of a host program in the memory of a GPU: columns of numbers in, rows
// of answers out (CaseSession::runArrays). Arrays of any stride are read and written where they
// lie.
//
// Addresses are CUdeviceptr of the device's primary context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

enum class DeviceNumber : int32_t { Signed, Unsigned, Float };

/// The cells of one column of cases: a number for each case. It is a state, from 0. A negative
/// number, NaN, and the largest number of an unsigned type mean "not observed".
struct DeviceColumn {
  size_t column = 0;  ///< of CaseSchema::observed
  uint64_t cells = 0; ///< address of the first case's number
  int64_t strideBytes = 0;
  DeviceNumber number = DeviceNumber::Signed;
  uint32_t itemBytes = 1; ///< 1, 2, 4 or 8; 4 or 8 for Float
};

/// A finding that all cases share.
struct DeviceFinding {
  size_t column = 0; ///< of CaseSchema::observed
  uint32_t code = 0; ///< a state, or the variable's extent: not observed
};

/// An array of doubles that gets a table of answers.
struct DeviceTable {
  size_t table = 0;         ///< of DeviceCaseLayout::tables
  uint64_t to = 0;          ///< address of the first case's first entry; entries lie side by side
  int64_t rowElems = 0;     ///< elements from case to case
  bool isLogarithm = false; ///< natural logarithms are written
};

/// A list of cases in device memory. Columns that are neither in `columns` nor in `findings` are
/// not observed.
struct DeviceCaseArrays {
  uint64_t count = 0; ///< cases
  std::vector<DeviceColumn> columns;
  std::vector<DeviceFinding> findings;
  std::vector<DeviceTable> tables;
  /// Address of int32_t [case, variable] for best assignments, -1 where there is none; 0: they are
  /// not wanted.
  uint64_t states = 0;
};

/// Answers that are missing since the last call of bind: their entries are NaN.
struct DeviceCaseCounts {
  uint64_t wrong = 0; ///< cases with a number that is no state
  /// Tables of cases whose values left the range of linear arithmetic. CaseSession::run can answer
  /// these cases.
  uint64_t left = 0;
};

} // namespace mpf
