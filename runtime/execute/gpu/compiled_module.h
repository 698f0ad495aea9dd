// Compiles a text of kernels for a GPU and loads it.
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/cuda_device.h"

#include <memory>
#include <string>

namespace mpf {

/// Returns the machine code of a text called `name`, compiled for the device or from the store.
/// Throws Error(Device) if the text cannot be compiled.
CompiledKernel compiledText(const CudaDevice &device, const KernelStoreOptions &kernels,
                            std::string name, std::string source);
/// Returns the module of a text called `name`, compiled for the device or from the store. `waits`
/// is that of CudaModule. The device must outlive it. Throws Error(Device) if the text cannot be
/// compiled or loaded.
std::unique_ptr<CudaModule> compiledModule(const CudaDevice &device,
                                           const KernelStoreOptions &kernels, std::string name,
                                           std::string source, bool waits);

/// Returns the options for kernels that serve any program: dumped texts name no purpose.
KernelStoreOptions forAnyProgram(KernelStoreOptions kernels);

} // namespace mpf
