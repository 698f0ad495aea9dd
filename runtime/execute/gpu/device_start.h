// Starts a GPU while the process does other work. Driver and context take some 0.2 s, once in a
// process.
#pragma once

namespace mpf {

/// Starts the driver and opens the context of a GPU in a thread; does nothing if that has begun
/// before, for any GPU. The context stays open until endDevice(), so that devices that are opened
/// one after the other (CudaDevice) share it. Reports no failure, because opening a device fails
/// again. Thread-safe.
void startDevice(int ordinal = 0) noexcept;

/// Starts the first GPU speculatively. Releases the context when a device has been opened, which
/// holds it then. After a call of startDevice() the context stays.
void expectDevice() noexcept;
/// Called when a device has been opened. Thread-safe.
void deviceOpened();

/// Waits until the thread of startDevice() has started the driver or failed. Returns at once if
/// there is no such thread, and in a process that was forked since. Thread-safe.
void awaitDriver();
/// Waits as awaitDriver(), until the thread has opened the context or failed.
void awaitDevice();

/// True if the thread of startDevice() runs or a context is held. A process that needs neither need
/// not wait: it may leave by quick_exit. The driver then releases the context, which takes 0.05 s.
/// Thread-safe.
bool isDeviceHeld();

/// Waits and releases the context, for a process that continues without it. Thread-safe.
void endDevice();

} // namespace mpf
