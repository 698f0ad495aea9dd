// cuBLAS as a peer: the matrix product that a bucket amounts to, on the layouts that cuBLAS likes
// best. Opened at run time ($MPF_LIBCUBLAS names another library); nothing links against it.
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
/// The sizes of the matrix product that a linear sum-product bucket is. None: it does not split
/// into two sides of 16 values or more, or a size exceeds the 32 bits of cuBLAS. Products of
/// several operands on one side count as formed already.
std::optional<MatrixSize> matrixSizeOf(const BucketJob &job);

/// Times a piece of work on the device's stream, in microseconds.
using TimeWork = std::function<double(const std::function<void()> &work)>;

/// Not thread-safe. The device must outlive it.
class Cublas {
public:
  /// Throws Error(Device), one sentence, where there is no such library.
  explicit Cublas(const CudaDevice &device);
  ~Cublas();
  Cublas(const Cublas &) = delete;

  /// Least time over the four layouts of the operands, f64 or f32 without TF32; results are not
  /// looked at. None when the operands do not fit the device.
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
