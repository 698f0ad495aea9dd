// The structs of DLPack 1 (dmlc.github.io/dlpack/latest/c_api.html), as the specification has them.
#pragma once

#include <cstdint>

// NOLINTBEGIN: names of the specification
struct DLDevice {
  int32_t device_type, device_id;
};

struct DLDataType {
  uint8_t code, bits;
  uint16_t lanes;
};

struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape, *strides; // strides: null for row-major arrays without gaps
  uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(DLManagedTensor *);
};

struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void *manager_ctx;
  void (*deleter)(DLManagedTensorVersioned *);
  uint64_t flags; // bit 0: read only
  DLTensor dl_tensor;
};
// NOLINTEND

namespace mpf::python {

inline constexpr int32_t kDlCuda = 2;
inline constexpr uint8_t kDlInt = 0, kDlFloat = 2;

} // namespace mpf::python
