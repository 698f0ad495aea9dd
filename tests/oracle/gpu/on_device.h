// Provides a host program that has its tables on the GPU: a stream, arrays, and sessions that run
// from them.
#pragma once

#include "dsl/model/model.h"
#include "runtime/api/session.h"
#include "runtime/execute/gpu/cuda_device.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <vector>

namespace mpf::oracle {

/// A stream of the host program, and its memory.
class HostProgram {
public:
  explicit HostProgram(const CudaDevice &device) : device_(device) {
    device.check(device.driver().streamCreate(&stream_, 1 /* non-blocking */), "cuStreamCreate");
  }
  ~HostProgram() { device_.driver().streamDestroy(stream_); }
  HostProgram(const HostProgram &) = delete;
  HostProgram &operator=(const HostProgram &) = delete;

  void *stream() const { return stream_; }
  void wait() const {
    device_.check(device_.driver().streamSynchronize(stream_), "cuStreamSynchronize");
  }
  void upload(const DeviceMemory &to, const void *from) const {
    device_.check(device_.driver().copyToDevice(to.address(), from, to.sizeBytes(), stream_),
                  "cuMemcpyHtoDAsync");
  }
  void download(void *to, const DeviceMemory &from) const {
    device_.check(device_.driver().copyToHost(to, from.address(), from.sizeBytes(), stream_),
                  "cuMemcpyDtoHAsync");
  }

private:
  const CudaDevice &device_;
  CudaStreamHandle stream_ = nullptr;
};

/// The data that one run reads and writes; alive until the stream has passed the run.
struct Arrays {
  std::vector<std::vector<std::byte>> given;
  std::vector<DeviceMemory> values;
  DeviceMemory results, exponents;
  std::vector<std::byte> resultBytes;
  std::vector<int32_t> exponentsRead;
};

/// A test fixture that is skipped without a device.
class OnDevice : public testing::Test {
protected:
  void SetUp() override;
  /// Uploads, runs and reads back without waiting.
  void start(Session &session, const DeviceRunLayout &layout,
             const std::vector<std::vector<double>> &values, Arrays &arrays);
  /// Compares in units of each table's greatest entry and, unless terms may cancel, of each entry.
  static void expectAnswer(const DeviceRunLayout &layout, const Arrays &arrays,
                           const Result &expected, bool cancels);
  static double resultOf(const DeviceRunLayout &layout, const Arrays &arrays, uint64_t i);
  /// Compiles the first query, with a kernel for every operation and chain, whether they pay or
  /// not.
  static Program withKernels(const Model &model, const CompileOptions &options);

  std::mt19937_64 random_{31};
  std::optional<CudaDevice> device_;
  std::optional<HostProgram> host_;
};

} // namespace mpf::oracle
