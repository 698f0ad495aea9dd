// Single runs whose inputs and results lie in the memory of a GPU: Session::deviceLayout and
// Session::runOnDevice. Nothing is copied through the host, and the host waits for nothing. Lists
// of cases: dsl/support/cases/device_cases.h.
//
// This header includes no header of CUDA. Pointers are CUdeviceptr, streams are CUstream. Both
// belong to the device's primary context, which the CUDA runtime uses too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// The arrays that a run reads and writes. Sizes and offsets count elements.
struct DeviceRunLayout {
  /// The values of a factor, in the order of Session::bind: row-major over its variables in
  /// declared order, last one fastest.
  struct Factor {
    std::string name;
    uint64_t sizeElems = 1;
  };
  /// A table of results, row-major over its variables, last one fastest. The value of entry e of
  /// table t is results[firstElem + e] * 2^exponents[t]; for posteriors, results[firstElem + e].
  struct Table {
    std::string name; ///< ResultTable::name
    std::vector<std::string> variables;
    uint64_t firstElem = 0, sizeElems = 1; ///< part of DeviceRun::results
    bool isPosterior = false;              ///< true: the entries sum to 1
    /// True for `logsum` queries: the answer is the natural logarithm of the value.
    bool isLogarithm = false;
  };

  bool isDouble = true; ///< type of values and results: double or float
  std::vector<Factor> factors;
  std::vector<Table> tables; ///< DeviceRun::exponents has one int32_t for each
  uint64_t resultElems = 0;
};

/// Arrays in device memory, with the alignment of their elements. Empty arrays may be 0.
struct DeviceRun {
  std::vector<uint64_t> values; ///< read: one array for each of DeviceRunLayout::factors
  /// Written. All results are NaN if
  /// - a value is not finite;
  /// - a value is negative, and the program was built without negative values;
  /// - a cost is so large that the type might not hold a sum of costs.
  /// Posteriors are NaN if the evidence has probability zero. Entries are scaled so that the
  /// greatest of a table is near 1; entries that are then below the range of the type are 0.
  uint64_t results = 0;
  uint64_t exponents = 0; ///< written: int32_t
};

/// Numbers of the program's launches in a run. Kernels that bind values, test linear arithmetic and
/// write results are not counted.
struct DeviceRunLaunches {
  uint64_t always = 0;
  /// Launches that compute everything again if linear arithmetic was not exact; 0: there is no
  /// test.
  uint64_t again = 0;
};

} // namespace mpf
