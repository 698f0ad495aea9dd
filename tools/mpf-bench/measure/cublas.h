// Times cuBLAS for comparison: the matrix product that a bucket is equivalent to, in the layout
// that is fastest for cuBLAS. The library is opened at run time ($MPF_LIBCUBLAS names another one).
#pragma once

#include "runtime/execute/gpu/cuda_device.h"
#include "tools/mpf-bench/shapes/bucket_job.h"

#include <functional>
#include <optional>
#include <string>

namespace mpf::bench {

/// result(batch, row, column) = sum over terms of a(batch, row, term) * b(batch, column, term).
struct MatrixSize {
  uint64_t batches = 1, rows = 1, columns = 1, terms = 1;
};
/// The matrix product of a linear sum-product bucket that splits into two sides of 16 values or
/// more. Products of several operands on one side count as already formed. None for other buckets,
/// and for sizes that exceed the 32 bits of cuBLAS.
std::optional<MatrixSize> matrixSizeOf(const BucketJob &job);

/// Times a piece of work on the device's stream, in microseconds.
using TimeWork = std::function<double(const std::function<void()> &work)>;

/// Not thread-safe. The device must outlive it.
class Cublas {
public:
  /// Throws Error(Device) when there is no such library.
  explicit Cublas(const CudaDevice &device);
  ~Cublas();
  Cublas(const Cublas &) = delete;

  /// The least time, in microseconds, over the four layouts of the operands; f64, or f32 without
  /// TF32. Results are not checked. None when the operands do not fit the device.
  std::optional<double> bestUs(const MatrixSize &size, ElementType type, const TimeWork &timeWork);

private:
  template <class Function> Function *function(const char *name) const;
  void fillOperands(uint64_t elems, ElementType type);
  void multiply(const MatrixSize &size, ElementType type, bool turnA, bool turnB) const;

  const CudaDevice &device_;
  void *library_ = nullptr, *handle_ = nullptr;
  DeviceMemory operands_, result_;
};

} // namespace mpf::bench
