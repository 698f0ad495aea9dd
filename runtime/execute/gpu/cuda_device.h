// One GPU through the driver API: context, memory, stream, events, modules, each owned (RAII).
//
// Every driver call goes through CudaDevice::check, which throws Error(Device) with the call's
// name; running out of memory throws Error(MemoryBound) with the size asked for.
#pragma once

#include "runtime/execute/gpu/cuda_library.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

struct DeviceProperties {
  std::string name; ///< "NVIDIA H200"
  std::string arch; ///< "sm_90"
  uint32_t smCount = 0;
  uint32_t threadsPerSm = 0;        ///< that are resident at a time
  uint32_t sharedBytesPerBlock = 0; ///< opt-in limit
  uint32_t sharedBytesPerSm = 0;
  bool launchesOverlap = false; ///< from sm_90 on: kernels can wait for the launch before
  bool isCooperative = false;   ///< blocks of a launch may wait for each other
  uint64_t totalBytes = 0;
};

/// A kernel of a loaded module.
struct CudaKernel {
  CudaFunctionHandle function = nullptr;
  /// The kernel waits by itself for earlier launches (MPF_GRID_BEGIN of mpf_device.cuh). So its
  /// blocks may start as soon as there is room for them, which saves 1 us behind another launch.
  bool waits = false;
};

/// One-dimensional.
struct GridShape {
  uint64_t blocks = 1;
  uint32_t threads = 1;
  uint32_t sharedBytes = 0; ///< dynamic
  /// Its blocks wait for each other: the device starts all of them together.
  bool isCooperative = false;
};

/// Why no device can be used.
struct DeviceLack {
  std::string reason;   ///< one sentence; empty: a device can be used
  bool isFault = false; ///< it or its driver does not work; otherwise the machine has none
};

/// Not thread-safe: one device object per thread; the primary context below is shared.
class CudaDevice {
public:
  /// Throws Error(Device), one sentence saying what is missing.
  explicit CudaDevice(int ordinal = 0);
  ~CudaDevice();
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  /// Starts the driver, without opening a context.
  static DeviceLack lack();
  /// "sm_90", asked of the driver without opening a context, which takes some 0.3 s; empty when no
  /// device can be used.
  static std::string archOf(int ordinal);
  /// What measured times depend on: "NVIDIA H200, driver 13000". Asked without opening a context.
  static std::string identityOf(int ordinal);

  const DeviceProperties &properties() const { return properties_; }
  uint64_t freeBytes() const;
  const CudaLibrary &driver() const { return driver_; }
  void check(int status, const char *call) const;
  void synchronize() const;
  /// In the calling thread, once for all that it does with the device.
  void makeCurrent() const;
  /// Waits, and throws nothing: for what has failed already, or what nobody waits for. In any
  /// thread.
  void drain() const noexcept {
    driver_.contextSetCurrent(context_);
    driver_.streamSynchronize(stream_);
  }
  /// Blocks of `threads`, without dynamic shared memory, that a multiprocessor holds at once and
  /// that may wait for each other: 0 where device or driver know no cooperative launches.
  uint32_t residentBlocks(const CudaKernel &kernel, uint32_t threads) const;
  /// Ordered on the device's stream. Error(Device) gives the kernel's name.
  void launch(const CudaKernel &kernel, const GridShape &shape, void **arguments,
              const char *name) const {
    launch(kernel, shape, arguments, name, stream_);
  }
  /// Ordered on another stream.
  void launch(const CudaKernel &kernel, const GridShape &shape, void **arguments, const char *name,
              CudaStreamHandle stream) const;
  /// From now on cooperative launches begin when the launch before has ended. Returns whether they
  /// could begin earlier up to now.
  bool endCooperativeOverlap() const { return std::exchange(cooperativeOverlaps_, false); }
  CudaStreamHandle stream() const { return stream_; }
  CudaContext context() const { return context_; }

private:
  explicit CudaDevice(CudaLibrary driver); ///< without a device yet

  CudaLibrary driver_;
  int device_ = -1;
  CudaContext context_ = nullptr;
  CudaStreamHandle stream_ = nullptr;
  DeviceProperties properties_;
  /// Cooperative launches overlap with the ones before, as far as the driver has not refused that.
  mutable bool cooperativeOverlaps_ = true;
};

/// Device memory, freed with the object. The device must outlive it.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(const CudaDevice &device, uint64_t bytes);
  ~DeviceMemory();
  DeviceMemory(DeviceMemory &&other) noexcept;
  DeviceMemory &operator=(DeviceMemory &&other) noexcept;

  CudaDevicePointer address() const { return address_; }
  uint64_t sizeBytes() const { return bytes_; }
  /// Ordered on the device's stream; host memory must stay valid until synchronize().
  void upload(const void *from, uint64_t bytes, uint64_t offsetBytes = 0) const;
  void download(void *to, uint64_t bytes, uint64_t offsetBytes = 0) const;
  void fill(unsigned char byte) const { fill(byte, bytes_, 0); }
  void fill(unsigned char byte, uint64_t bytes, uint64_t offsetBytes) const;
  /// Copies `bytes` of `from`, memory of the same device, from `fromBytes` on.
  void copyFrom(const DeviceMemory &from, uint64_t bytes, uint64_t offsetBytes,
                uint64_t fromBytes = 0) const;

private:
  const CudaDevice *device_ = nullptr;
  CudaDevicePointer address_ = 0;
  uint64_t bytes_ = 0;
};

/// A loaded cubin.
class CudaModule {
public:
  /// `waits`: as all its kernels do.
  CudaModule(const CudaDevice &device, const std::string &cubin, bool waits);
  ~CudaModule();
  CudaModule(CudaModule &&other) noexcept;
  CudaModule &operator=(CudaModule &&) = delete;

  /// `sharedBytes`: dynamic shared memory the launches will ask for.
  CudaKernel function(const std::string &name, uint32_t sharedBytes) const;

private:
  const CudaDevice *device_;
  CudaModuleHandle module_ = nullptr;
  bool waits_;
};

/// A point in the stream; differences are device time.
class CudaEvent {
public:
  explicit CudaEvent(const CudaDevice &device);
  ~CudaEvent();
  CudaEvent(CudaEvent &&other) noexcept;
  CudaEvent &operator=(CudaEvent &&) = delete;

  void record() const;
  /// Microseconds from `earlier` to this; both recorded and the stream synchronised.
  double microsecondsSince(const CudaEvent &earlier) const;

private:
  const CudaDevice *device_;
  CudaEventHandle event_ = nullptr;
};

} // namespace mpf
