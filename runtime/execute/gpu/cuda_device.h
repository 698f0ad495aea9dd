// One GPU through the driver API: context, memory, stream, events, modules, each owned (RAII).
//
// Every driver call goes through CudaDevice::check, which throws Error(Device) with the call's
// name. If the device has no memory, it throws Error(MemoryBound) with the requested size.
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
  uint32_t threadsPerSm = 0;        ///< most resident threads
  uint32_t sharedBytesPerBlock = 0; ///< opt-in limit
  uint32_t sharedBytesPerSm = 0;
  bool launchesOverlap = false; ///< from sm_90 on: kernels can wait for the launch before them
  bool isCooperative = false;   ///< blocks of a launch may wait for each other
  uint64_t totalBytes = 0;
};

/// A kernel of a loaded module.
struct CudaKernel {
  CudaFunctionHandle function = nullptr;
  /// True if the kernel itself waits for earlier launches (MPF_GRID_BEGIN of mpf_device.cuh). Then
  /// its blocks may start as soon as there is room for them, which saves 1 us behind another
  /// launch.
  bool waits = false;
};

/// The shape of a one-dimensional launch.
struct GridShape {
  uint64_t blocks = 1;
  uint32_t threads = 1;
  uint32_t sharedBytes = 0; ///< dynamic shared memory
  /// True if blocks wait for each other; then the device starts all of them together.
  bool isCooperative = false;
};

/// The reason why no device can be used.
struct DeviceLack {
  std::string reason; ///< one sentence; empty: a device can be used
  /// True if the device or its driver does not work; false if the machine has none.
  bool isFault = false;
};

/// Not thread-safe: one device object per thread; the primary context below is shared.
class CudaDevice {
public:
  /// Opens a device. Throws Error(Device) with one sentence about the missing part.
  explicit CudaDevice(int ordinal = 0);
  ~CudaDevice();
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  /// Returns why a device cannot be used. Starts the driver, without opening a context.
  static DeviceLack lack(int ordinal = 0);
  /// Returns "sm_90" without opening a context, which takes some 0.3 s. Empty if no device can be
  /// used.
  static std::string archOf(int ordinal);
  /// Returns the device and driver, on which measured times depend: "NVIDIA H200, driver 13000".
  /// Opens no context.
  static std::string identityOf(int ordinal);

  const DeviceProperties &properties() const { return properties_; }
  uint64_t freeBytes() const;
  const CudaLibrary &driver() const { return driver_; }
  void check(int status, const char *call) const;
  void synchronize() const;
  /// Makes the context current in the calling thread. Each thread that uses the device calls it
  /// once.
  void makeCurrent() const;
  /// Waits and throws nothing: for work that has failed, or whose result is not needed. Callable in
  /// any thread.
  void drain() const noexcept {
    driver_.contextSetCurrent(context_);
    driver_.streamSynchronize(stream_);
  }
  /// Returns how many blocks of `threads`, without dynamic shared memory, a multiprocessor holds at
  /// once, so that they may wait for each other. 0 if device or driver know no cooperative
  /// launches.
  uint32_t residentBlocks(const CudaKernel &kernel, uint32_t threads) const;
  /// Launches on the device's stream. Throws Error(Device) with the kernel's name.
  void launch(const CudaKernel &kernel, const GridShape &shape, void **arguments,
              const char *name) const {
    launch(kernel, shape, arguments, name, stream_);
  }
  /// Launches on another stream.
  void launch(const CudaKernel &kernel, const GridShape &shape, void **arguments, const char *name,
              CudaStreamHandle stream) const;
  /// Makes later cooperative launches wait for the end of the launch before. Returns whether they
  /// could overlap until now.
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
  /// True while cooperative launches overlap with the ones before; false after the driver has
  /// refused that.
  mutable bool cooperativeOverlaps_ = true;
};

/// Makes the context of the device current, and at the end the one that was current before: that of
/// a host program which works on another GPU.
class CurrentContext {
public:
  explicit CurrentContext(const CudaDevice &device);
  ~CurrentContext();
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;

private:
  const CudaDevice &device_;
  CudaContext before_ = nullptr;
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
  /// Copies on the device's stream; host memory must stay valid until synchronize().
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
  /// Loads a cubin. `waits`: CudaKernel::waits of all its kernels.
  CudaModule(const CudaDevice &device, const std::string &cubin, bool waits);
  ~CudaModule();
  CudaModule(CudaModule &&other) noexcept;
  CudaModule &operator=(CudaModule &&) = delete;

  /// Returns a kernel. `sharedBytes`: dynamic shared memory of its launches.
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
  /// Returns the microseconds from `earlier` to this event. Both must be recorded and the stream
  /// synchronised.
  double microsecondsSince(const CudaEvent &earlier) const;

private:
  const CudaDevice *device_;
  CudaEventHandle event_ = nullptr;
};

} // namespace mpf
