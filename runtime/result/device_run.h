// Single runs whose inputs and results lie in the memory of a GPU: Session::deviceLayout and
// Session::runOnDevice. Nothing is copied through the host, and the host waits for nothing. For
// lists of cases: dsl/support/cases/device_cases.h.
//
// Depends on no header of CUDA: pointers are CUdeviceptr, streams CUstream, both of the device's
// primary context, which is that of the CUDA runtime.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// What runs read and write, in elements of the arrays.
struct DeviceRunLayout {
  /// The values of a factor, row-major over its variables in declared order, last one fastest: what
  /// Session::bind takes.
  struct Factor {
    std::string name;
    uint64_t sizeElems = 1;
  };
  /// A table of results, row-major over its variables, last one fastest. The value is results *
  /// 2^exponents[number of the table]; of a posterior it is the result alone.
  struct Table {
    std::string name; ///< as ResultTable::name
    std::vector<std::string> variables;
    uint64_t firstElem = 0, sizeElems = 1; ///< of DeviceRun::results
    bool isPosterior = false;              ///< sums to 1
    /// The answer is the natural logarithm of the value: of `logsum` queries.
    bool isLogarithm = false;
  };

  bool isDouble = true; ///< values and results are double, else float
  std::vector<Factor> factors;
  std::vector<Table> tables; ///< DeviceRun::exponents has one int32_t for each
  uint64_t resultElems = 0;
};

/// Arrays in device memory, aligned as their elements are; those of no elements may be 0.
struct DeviceRun {
  std::vector<uint64_t> values; ///< read: one array for each of DeviceRunLayout::factors
  /// Written. All results are NaN where a value is one that Session::bind refuses: not finite, or
  /// negative where the program was built without negative values; and of sums of costs where it is
  /// so large that the type might not hold a sum. Posteriors are NaN where the evidence has
  /// probability zero. In a table of very different entries those below the range of the type, with
  /// the greatest near 1, are 0.
  uint64_t results = 0;
  uint64_t exponents = 0; ///< written: int32_t
};

/// The kernels of the program that a run consists of, beside those that bind values, look whether
/// linear arithmetic was exact, and write results.
struct DeviceRunLaunches {
  uint64_t always = 0;
  /// Which follow where the device finds that linear arithmetic was not exact: they compute all
  /// once more. 0: nothing has to be found out.
  uint64_t again = 0;
};

} // namespace mpf
