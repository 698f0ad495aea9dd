// Brings a GPU up while something else is done. Driver and context take some 0.2 s, once in a
// process.
#pragma once

namespace mpf {

/// Begins to start the driver and to open the context of the first GPU, in a thread; does nothing
/// when that has begun before. The context stays open until endDevice(), so that devices that are
/// opened one after the other (CudaDevice) share it. Reports no failure: whoever opens a device
/// meets it again. Thread-safe.
void startDevice() noexcept;

/// The same for who only expects that one will be opened: the context is given back when that has
/// happened, for the device holds it then. Where startDevice() was called too, it stays.
void expectDevice() noexcept;
/// Called when a device has been opened. Thread-safe.
void deviceOpened();

/// Waits until what startDevice() began has started the driver, or has failed to; returns at once
/// when nothing did, and in a process that was forked since. Thread-safe.
void awaitDriver();
/// The same, until it has ended: the context is there, or failed.
void awaitDevice();

/// Whether what startDevice() began goes on, or a context is held. A process that has no use for
/// either need not wait: it may leave by quick_exit, and giving a context back, which takes 0.05 s,
/// is then left to the driver. Thread-safe.
bool isDeviceHeld();

/// Waits, and gives the context back, for a process that goes on without. Thread-safe.
void endDevice();

} // namespace mpf
