// The fields of the speeds of devices, with their names in texts. All texts of a speed use this
// list, so each has all fields: the stored speed (runtime/machine/machine_speed.h), the text of a
// machine (machine_text.h).
#pragma once

#include "codegen/machine/cpu_speed.h"
#include "codegen/machine/gpu_speed.h"

namespace mpf {

// Each function calls visit(name, field) for every field of its kind. `Speed` is a speed, const or
// not. GpuSpeed::multiprocessors, the only count, is left out.

template <class Speed, class Visit> void forCurves(Speed &cpu, const Visit &visit) {
  visit("entries", cpu.entries);
  visit("rows", cpu.rows);
  visit("tiles", cpu.tiles);
  visit("compiled", cpu.compiled);
  visit("logs", cpu.logs);
  visit("integers", cpu.integers);
}

template <class Speed, class Visit> void forCpuNumbers(Speed &cpu, const Visit &visit) {
  visit("cpu_wake_us", cpu.threads.wakeUs);
  visit("cpu_hand_us", cpu.threads.handUs);
  visit("cpu_sharing_us", cpu.threads.sharingUs);
  visit("cpu_crowding", cpu.threads.crowding);
  visit("cpu_large_touch_us", cpu.memory.largeTouchUs);
  visit("cpu_small_touch_us", cpu.memory.smallTouchUs);
  visit("cpu_cache_bytes", cpu.memory.cacheBytes);
}

template <class Speed, class Visit> void forGpuNumbers(Speed &gpu, const Visit &visit) {
  visit("gpu_launch_us", gpu.launchUs);
  visit("gpu_wait_us", gpu.waitUs);
  visit("gpu_step_us", gpu.stepUs);
  visit("gpu_term_factor", gpu.termFactor);
  visit("gpu_resident_blocks", gpu.residentBlocks);
  visit("gpu_kernel_factor", gpu.kernelFactor);
  visit("gpu_lines_per_us", gpu.linesPerUs);
  visit("gpu_bytes_per_us", gpu.bytesPerUs);
  visit("gpu_slice_launch_us", gpu.sliceLaunchUs);
  visit("gpu_copy_bytes_per_us", gpu.copyBytesPerUs);
  visit("gpu_upload_us", gpu.uploadUs);
  visit("gpu_download_us", gpu.downloadUs);
  visit("gpu_superstep_us", gpu.superstepUs);
  visit("gpu_open_us", gpu.openUs);
  visit("gpu_locked_copy_bytes_per_us", gpu.copies.bytesPerUs);
  visit("gpu_locked_copy_us", gpu.copies.copyUs);
  visit("gpu_copy_group_us", gpu.copies.groupUs);
}

} // namespace mpf
