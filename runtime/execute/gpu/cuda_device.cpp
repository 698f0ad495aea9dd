#include "runtime/execute/gpu/cuda_device.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/fork_count.h"
#include "runtime/execute/gpu/device_start.h"
#include "runtime/execute/gpu/start_times.h"

#include <array>
#include <utility>

namespace mpf {

namespace {

// Numbers of cuda.h, which the driver's binary interface fixes.
constexpr int kErrorOutOfMemory = 2;
constexpr int kErrorNoDevice = 100;
constexpr int kAttributeSmCount = 16;
constexpr int kAttributeThreadsPerSm = 39;
constexpr int kAttributeMajor = 75;
constexpr int kAttributeMinor = 76;
constexpr int kAttributeSharedPerSm = 81;
constexpr int kAttributeSharedOptIn = 97;
constexpr int kFunctionMaxDynamicShared = 8;
constexpr int kErrorInvalidValue = 1;
constexpr int kErrorNotSupported = 801;
constexpr int kAttributeCooperative = 95;
constexpr unsigned kLaunchCooperative = 2;
constexpr unsigned kLaunchProgrammatic = 6; ///< programmatic stream serialization
constexpr uint64_t kMostBlocks = 0x7fffffff;
constexpr uint32_t kSharedWithoutOptIn = 48 * 1024;

std::string errorName(const CudaLibrary &driver, int status) {
  const char *name = nullptr;
  driver.errorName(status, &name);
  return name != nullptr ? name : fmt::format("code {}", status);
}

DeviceLack lackOf(const CudaLibrary &driver, int ordinal) {
  awaitDriver();
  if (!driver.fault.empty())
    return {driver.fault, true};
  if (!driver.library.isOpen())
    return {fmt::format("no CUDA driver was found ({}): install the NVIDIA driver, or run with "
                        "--device cpu",
                        driver.named.empty()
                            ? "libcuda.so.1"
                            : "MPF_LIBCUDA names " + driver.named + ", which cannot be opened")};
  // The driver works only in the process that started it, not in forked ones.
  static const unsigned startedIn = forkCount();
  if (startedIn != forkCount())
    return {"the CUDA driver was started before this process was forked: start a program anew "
            "(exec), or run with --device cpu",
            true};
  const StartTimer timer(StartPart::Driver);
  int count = 0;
  int status = driver.init(0);
  if (status == 0)
    status = driver.deviceCount(&count);
  if (status != 0 && status != kErrorNoDevice)
    return {fmt::format("the CUDA driver does not start ({}): check `nvidia-smi`, or run with "
                        "--device cpu",
                        errorName(driver, status)),
            true};
  if (count == 0)
    return {"the CUDA driver sees no GPU: run with --device cpu"};
  if (ordinal >= count)
    return {fmt::format("the machine has no GPU with the number {}: the CUDA driver sees {}, from "
                        "number 0 on",
                        ordinal, count)};
  return {};
}

std::string archName(int major, int minor) { return fmt::format("sm_{}", 10 * major + minor); }

} // namespace

void CudaDevice::check(int status, const char *call) const {
  if (status == 0)
    return;
  const char *text = nullptr;
  driver_.errorString(status, &text);
  fail(status == kErrorOutOfMemory ? ErrorKind::MemoryBound : ErrorKind::Device,
       "CUDA call {} failed: {} ({})", call, text ? text : "unknown error",
       errorName(driver_, status));
}

DeviceLack CudaDevice::lack(int ordinal) { return lackOf(openCuda(), ordinal); }

std::string CudaDevice::archOf(int ordinal) {
  const CudaLibrary driver = openCuda();
  int device = 0, major = 0, minor = 0;
  if (!lackOf(driver, ordinal).reason.empty() || driver.deviceGet(&device, ordinal) != 0 ||
      driver.deviceAttribute(&major, kAttributeMajor, device) != 0 ||
      driver.deviceAttribute(&minor, kAttributeMinor, device) != 0)
    return "";
  return archName(major, minor);
}

std::string CudaDevice::identityOf(int ordinal) {
  const CudaLibrary driver = openCuda();
  int device = 0, version = 0;
  std::array<char, 256> name{};
  if (!lackOf(driver, ordinal).reason.empty() || driver.deviceGet(&device, ordinal) != 0 ||
      driver.deviceName(name.data(), static_cast<int>(name.size()), device) != 0 ||
      driver.driverVersion(&version) != 0)
    return "";
  return fmt::format("{}, driver {}", name.data(), version);
}

CudaDevice::CudaDevice(CudaLibrary driver) : driver_(std::move(driver)) {}

// The delegated constructor has made the object, so the destructor runs if this one throws.
CudaDevice::CudaDevice(int ordinal) : CudaDevice(openCuda()) {
  if (const DeviceLack lack = lackOf(driver_, ordinal); !lack.reason.empty())
    fail(ErrorKind::Device, "{}", lack.reason);
  check(driver_.deviceGet(&device_, ordinal), "cuDeviceGet");
  const auto attribute = [this](int number) {
    int value = 0;
    check(driver_.deviceAttribute(&value, number, device_), "cuDeviceGetAttribute");
    return value;
  };
  std::array<char, 256> name{};
  check(driver_.deviceName(name.data(), static_cast<int>(name.size()), device_), "cuDeviceGetName");
  properties_.name = name.data();
  const int major = attribute(kAttributeMajor);
  properties_.arch = archName(major, attribute(kAttributeMinor));
  properties_.launchesOverlap = major >= 9;
  properties_.isCooperative = attribute(kAttributeCooperative) != 0;
  properties_.smCount = static_cast<uint32_t>(attribute(kAttributeSmCount));
  properties_.threadsPerSm = static_cast<uint32_t>(attribute(kAttributeThreadsPerSm));
  properties_.sharedBytesPerSm = static_cast<uint32_t>(attribute(kAttributeSharedPerSm));
  properties_.sharedBytesPerBlock = static_cast<uint32_t>(attribute(kAttributeSharedOptIn));
  awaitDevice(); // device_start.h may be opening the context
  {
    const StartTimer timer(StartPart::Context);
    check(driver_.contextRetain(&context_, device_), "cuDevicePrimaryCtxRetain");
  }
  makeCurrent();
  check(driver_.streamCreate(&stream_, 1 /* non-blocking */), "cuStreamCreate");
  size_t freeNow = 0, total = 0;
  check(driver_.memoryInfo(&freeNow, &total), "cuMemGetInfo");
  properties_.totalBytes = total;
  deviceOpened();
}

void CudaDevice::makeCurrent() const {
  check(driver_.contextSetCurrent(context_), "cuCtxSetCurrent");
}

CudaDevice::~CudaDevice() {
  if (stream_)
    driver_.streamDestroy(stream_);
  if (!context_)
    return;
  const StartTimer timer(StartPart::End);
  driver_.contextRelease(device_);
}

uint64_t CudaDevice::freeBytes() const {
  size_t freeNow = 0, total = 0;
  check(driver_.memoryInfo(&freeNow, &total), "cuMemGetInfo");
  return freeNow;
}

void CudaDevice::synchronize() const {
  check(driver_.streamSynchronize(stream_), "cuStreamSynchronize");
}

CurrentContext::CurrentContext(const CudaDevice &device) : device_(device) {
  if (device.driver().contextGetCurrent != nullptr)
    device.check(device.driver().contextGetCurrent(&before_), "cuCtxGetCurrent");
  device.makeCurrent();
}

CurrentContext::~CurrentContext() {
  if (device_.driver().contextGetCurrent != nullptr)
    device_.driver().contextSetCurrent(before_);
}

void CudaDevice::launch(const CudaKernel &kernel, const GridShape &shape, void **arguments,
                        const char *name, CudaStreamHandle stream) const {
  MPF_CHECK(shape.blocks <= kMostBlocks, "kernel {} asks for {} blocks", name, shape.blocks);
  const auto blocks = static_cast<unsigned>(shape.blocks);
  const bool overlaps =
      kernel.waits && properties_.launchesOverlap && driver_.launchWith != nullptr;
  if (!overlaps && !shape.isCooperative) {
    check(driver_.launch(kernel.function, blocks, 1, 1, shape.threads, 1, 1, shape.sharedBytes,
                         stream, arguments, nullptr),
          name);
    return;
  }
  std::array<CudaLaunchAttribute, 2> attributes;
  CudaLaunchConfig config;
  config.gridX = blocks;
  config.blockX = shape.threads;
  config.sharedBytes = shape.sharedBytes;
  config.stream = stream;
  config.attributes = attributes.data();
  const auto add = [&](unsigned id) {
    attributes[config.attributeCount].id = id;
    attributes[config.attributeCount++].flag = 1;
  };
  if (shape.isCooperative)
    add(kLaunchCooperative);
  const bool isOptional = overlaps && shape.isCooperative;
  if (overlaps && (!isOptional || cooperativeOverlaps_))
    add(kLaunchProgrammatic);
  int status = driver_.launchWith(&config, kernel.function, arguments, nullptr);
  if (isOptional && config.attributeCount == 2 &&
      (status == kErrorInvalidValue || status == kErrorNotSupported)) {
    endCooperativeOverlap();
    config.attributeCount = 1; // keeps only the cooperative attribute
    status = driver_.launchWith(&config, kernel.function, arguments, nullptr);
  }
  check(status, name);
}

uint32_t CudaDevice::residentBlocks(const CudaKernel &kernel, uint32_t threads) const {
  if (!properties_.isCooperative || driver_.launchWith == nullptr ||
      driver_.residentBlocks == nullptr)
    return 0;
  int blocks = 0;
  check(driver_.residentBlocks(&blocks, kernel.function, static_cast<int>(threads), 0),
        "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  return static_cast<uint32_t>(blocks);
}

/// Throws for a refused allocation. The driver may refuse what would fit: free memory may be
/// fragmented, or another process may have taken it in the meantime.
[[noreturn]] static void failForMemory(uint64_t bytes, uint64_t freeBytes) {
  constexpr const char *kWayOut = "use --device cpu or a bound";
  if (freeBytes < bytes)
    fail(ErrorKind::MemoryBound, "the GPU has no {} free ({} are); {}", formatBytes(bytes),
         formatBytes(freeBytes), kWayOut);
  fail(ErrorKind::MemoryBound,
       "the GPU's driver gave no {} of memory, though it now counts {} as free; {}",
       formatBytes(bytes), formatBytes(freeBytes), kWayOut);
}

DeviceMemory::DeviceMemory(const CudaDevice &device, uint64_t bytes)
    : device_(&device), bytes_(bytes) {
  if (bytes == 0)
    return;
  const StartTimer timer(StartPart::Memory);
  const int status = device.driver().memoryAlloc(&address_, bytes);
  if (status == kErrorOutOfMemory)
    failForMemory(bytes, device.freeBytes());
  device.check(status, "cuMemAlloc");
}

DeviceMemory::~DeviceMemory() {
  if (address_)
    device_->driver().memoryFree(address_);
}

DeviceMemory::DeviceMemory(DeviceMemory &&other) noexcept
    : device_(other.device_), address_(std::exchange(other.address_, 0)),
      bytes_(std::exchange(other.bytes_, 0)) {}

DeviceMemory &DeviceMemory::operator=(DeviceMemory &&other) noexcept {
  std::swap(device_, other.device_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void DeviceMemory::upload(const void *from, uint64_t bytes, uint64_t offsetBytes) const {
  MPF_CHECK(offsetBytes + bytes <= bytes_, "upload of {} bytes at {} into {}", bytes, offsetBytes,
            bytes_);
  const StartTimer timer(StartPart::FirstCopy);
  if (bytes != 0)
    device_->check(
        device_->driver().copyToDevice(address_ + offsetBytes, from, bytes, device_->stream()),
        "cuMemcpyHtoDAsync");
}

void DeviceMemory::download(void *to, uint64_t bytes, uint64_t offsetBytes) const {
  MPF_CHECK(offsetBytes + bytes <= bytes_, "download of {} bytes at {} from {}", bytes, offsetBytes,
            bytes_);
  if (bytes != 0)
    device_->check(
        device_->driver().copyToHost(to, address_ + offsetBytes, bytes, device_->stream()),
        "cuMemcpyDtoHAsync");
}

void DeviceMemory::fill(unsigned char byte, uint64_t bytes, uint64_t offsetBytes) const {
  MPF_CHECK(offsetBytes + bytes <= bytes_, "{} bytes set at {} of {}", bytes, offsetBytes, bytes_);
  if (bytes != 0)
    device_->check(
        device_->driver().setBytes(address_ + offsetBytes, byte, bytes, device_->stream()),
        "cuMemsetD8Async");
}

void DeviceMemory::copyFrom(const DeviceMemory &from, uint64_t bytes, uint64_t offsetBytes,
                            uint64_t fromBytes) const {
  MPF_CHECK(offsetBytes + bytes <= bytes_ && fromBytes + bytes <= from.bytes_,
            "copy of {} bytes at {} of {} to {} of {}", bytes, fromBytes, from.bytes_, offsetBytes,
            bytes_);
  if (bytes != 0)
    device_->check(device_->driver().copyOnDevice(address_ + offsetBytes, from.address_ + fromBytes,
                                                  bytes, device_->stream()),
                   "cuMemcpyDtoDAsync");
}

CudaModule::CudaModule(const CudaDevice &device, const std::string &cubin, bool waits)
    : device_(&device), waits_(waits) {
  const StartTimer timer(StartPart::Modules);
  device.check(device.driver().moduleLoad(&module_, cubin.data()), "cuModuleLoadData");
}

CudaModule::~CudaModule() {
  if (module_)
    device_->driver().moduleUnload(module_);
}

CudaModule::CudaModule(CudaModule &&other) noexcept
    : device_(other.device_), module_(std::exchange(other.module_, nullptr)), waits_(other.waits_) {
}

CudaKernel CudaModule::function(const std::string &name, uint32_t sharedBytes) const {
  const StartTimer timer(StartPart::Modules);
  CudaFunctionHandle function = nullptr;
  device_->check(device_->driver().moduleFunction(&function, module_, name.c_str()),
                 "cuModuleGetFunction");
  // Static shared memory counts too, but no kernel declares more than the other half.
  if (sharedBytes > kSharedWithoutOptIn / 2)
    device_->check(device_->driver().functionSetAttribute(function, kFunctionMaxDynamicShared,
                                                          static_cast<int>(sharedBytes)),
                   "cuFuncSetAttribute");
  return {function, waits_};
}

CudaEvent::CudaEvent(const CudaDevice &device) : device_(&device) {
  device.check(device.driver().eventCreate(&event_, 0), "cuEventCreate");
}

CudaEvent::~CudaEvent() {
  if (event_)
    device_->driver().eventDestroy(event_);
}

CudaEvent::CudaEvent(CudaEvent &&other) noexcept
    : device_(other.device_), event_(std::exchange(other.event_, nullptr)) {}

void CudaEvent::record() const {
  device_->check(device_->driver().eventRecord(event_, device_->stream()), "cuEventRecord");
}

double CudaEvent::microsecondsSince(const CudaEvent &earlier) const {
  float milliseconds = 0;
  device_->check(device_->driver().eventElapsed(&milliseconds, earlier.event_, event_),
                 "cuEventElapsedTime");
  return 1e3 * static_cast<double>(milliseconds);
}

} // namespace mpf
