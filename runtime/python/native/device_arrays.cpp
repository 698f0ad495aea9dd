#include "runtime/python/native/device_arrays.h"
#include "runtime/python/native/dlpack_data.h"
#include "runtime/python/native/without_gil.h"

#include "dsl/support/check.h"
#include "runtime/api/device_buffer.h"

#include <algorithm>
#include <memory>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace mpf::python {

namespace {

constexpr const char *kPlain = "dltensor", *kVersioned = "dltensor_versioned";
constexpr uint64_t kReadOnly = 1;

/// An array that a package lends through a capsule of DLPack. The capsule is used up, and the
/// package gets the array back with the view.
class ArrayView {
public:
  explicit ArrayView(const nb::object &capsule) {
    if (PyCapsule_IsValid(capsule.ptr(), kVersioned)) {
      versioned_ = take<DLManagedTensorVersioned>(capsule, kVersioned, "used_dltensor_versioned");
      if (versioned_->major != 1) {
        const uint32_t major = versioned_->major;
        giveBack();
        fail(ErrorKind::Unsupported, "an array comes by DLPack {}: mpf reads versions 0 and 1",
             major);
      }
      tensor_ = &versioned_->dl_tensor;
    } else if (PyCapsule_IsValid(capsule.ptr(), kPlain)) {
      plain_ = take<DLManagedTensor>(capsule, kPlain, "used_dltensor");
      tensor_ = &plain_->dl_tensor;
    } else {
      fail(ErrorKind::BadInput, "this is no capsule of DLPack, or it was used before");
    }
  }
  ~ArrayView() { giveBack(); }
  ArrayView(const ArrayView &) = delete;
  ArrayView &operator=(const ArrayView &) = delete;

  uint64_t address() const {
    return reinterpret_cast<uint64_t>(tensor_->data) + tensor_->byte_offset;
  }
  std::vector<int64_t> shape() const { return {tensor_->shape, tensor_->shape + tensor_->ndim}; }
  /// The bytes from entry to entry of each axis.
  std::vector<int64_t> strides() const {
    std::vector<int64_t> strides(static_cast<size_t>(tensor_->ndim));
    int64_t dense = itemBytes();
    for (size_t axis = strides.size(); axis-- > 0; dense *= tensor_->shape[axis])
      strides[axis] =
          tensor_->strides == nullptr ? dense : tensor_->strides[axis] * int64_t{itemBytes()};
    return strides;
  }
  std::pair<int32_t, int32_t> device() const {
    return {tensor_->device.device_type, tensor_->device.device_id};
  }
  /// The code of DLPack and the bits of a number; 0 bits for vectors.
  std::pair<int, int> type() const {
    return {tensor_->dtype.code, tensor_->dtype.lanes == 1 ? tensor_->dtype.bits : 0};
  }
  bool isReadOnly() const { return versioned_ != nullptr && (versioned_->flags & kReadOnly) != 0; }

private:
  template <class Managed>
  static Managed *take(const nb::object &capsule, const char *name, const char *used) {
    auto *const managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule.ptr(), name));
    PyCapsule_SetName(capsule.ptr(), used);
    return managed;
  }
  int32_t itemBytes() const { return (tensor_->dtype.bits * tensor_->dtype.lanes + 7) / 8; }
  void giveBack() noexcept {
    if (versioned_ != nullptr && versioned_->deleter != nullptr)
      versioned_->deleter(versioned_);
    if (plain_ != nullptr && plain_->deleter != nullptr)
      plain_->deleter(plain_);
    versioned_ = nullptr;
    plain_ = nullptr;
  }

  DLManagedTensor *plain_ = nullptr;
  DLManagedTensorVersioned *versioned_ = nullptr;
  const DLTensor *tensor_ = nullptr;
};

void *streamOf(uint64_t number) { return reinterpret_cast<void *>(static_cast<uintptr_t>(number)); }

void order(uint64_t before, uint64_t after) {
  const WithoutGil others;
  orderStreams(streamOf(before), streamOf(after));
}

using HostBytes = nb::ndarray<uint8_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void download(uint64_t address, const HostBytes &to) {
  const WithoutGil others;
  copyFromDevice(address, to.data(), to.size());
}

void upload(const HostBytes &from, uint64_t address) {
  const WithoutGil others;
  copyToDevice(from.data(), address, from.size());
}

/// New memory of the GPU, which a stream fills. Other packages read it through DLPack and
/// __cuda_array_interface__.
class DeviceArray {
public:
  DeviceArray(std::vector<int64_t> shape, bool isDouble, uint64_t stream, nb::object inputs)
      : shape_(std::move(shape)), strides_(shape_.size()), isDouble_(isDouble), stream_(stream),
        inputs_(std::move(inputs)) {
    int64_t entries = 1;
    for (size_t axis = shape_.size(); axis-- > 0; entries *= shape_[axis])
      strides_[axis] = entries;
    const uint64_t itemBytes = isDouble ? sizeof(double) : sizeof(int32_t);
    const WithoutGil others;
    memory_ = std::make_unique<DeviceBuffer>(static_cast<uint64_t>(entries) * itemBytes);
  }
  /// Frees the memory, which waits for the device, and then the inputs.
  ~DeviceArray() {
    const WithoutGil others;
    memory_.reset();
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  /// Serves Python's search for cycles.
  const nb::object &inputs() const { return inputs_; }
  void dropInputs() {
    {
      const WithoutGil others;
      memory_.reset(); // waits for what reads them
    }
    inputs_ = nb::object();
  }

  uint64_t address() const { return memory_ == nullptr ? 0 : memory_->address(); }
  const std::vector<int64_t> &shape() const { return shape_; }
  uint64_t stream() const { return stream_; }
  bool isDouble() const { return isDouble_; }

  void describe(DLTensor &tensor) {
    tensor = {reinterpret_cast<void *>(address()),
              {kDlCuda, 0},
              static_cast<int32_t>(shape_.size()),
              {isDouble_ ? kDlFloat : kDlInt, static_cast<uint8_t>(isDouble_ ? 64 : 32), 1},
              shape_.data(),
              strides_.data(),
              0};
  }

private:
  std::vector<int64_t> shape_, strides_;
  const bool isDouble_;
  const uint64_t stream_;
  nb::object inputs_; ///< what the stream reads
  std::unique_ptr<DeviceBuffer> memory_;
};

int visitInputs(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self))
    Py_VISIT(nb::inst_ptr<DeviceArray>(self)->inputs().ptr());
  return 0;
}

int clearInputs(PyObject *self) {
  if (nb::inst_ready(self))
    nb::inst_ptr<DeviceArray>(self)->dropInputs();
  return 0;
}

PyType_Slot arraySlots[] = {{Py_tp_traverse, reinterpret_cast<void *>(&visitInputs)},
                            {Py_tp_clear, reinterpret_cast<void *>(&clearInputs)},
                            {0, nullptr}};

/// A tensor whose manager is the Python object of the array.
template <class Managed> Managed *managedOf(nb::handle self) {
  auto *const managed = new Managed{};
  nb::cast<DeviceArray &>(self).describe(managed->dl_tensor);
  managed->manager_ctx = self.inc_ref().ptr();
  managed->deleter = [](Managed *ended) {
    if (Py_IsInitialized()) {
      const nb::gil_scoped_acquire locked; // packages call this in any thread
      Py_DECREF(static_cast<PyObject *>(ended->manager_ctx));
    }
    delete ended;
  };
  return managed;
}

template <class Managed> nb::object capsuleOf(Managed *managed, const char *name) {
  PyObject *const capsule = PyCapsule_New(managed, name, [](PyObject *ended) {
    for (const char *unused : {kPlain, kVersioned}) {
      if (!PyCapsule_IsValid(ended, unused))
        continue;
      auto *const left = static_cast<Managed *>(PyCapsule_GetPointer(ended, unused));
      left->deleter(left);
      return;
    }
  });
  return nb::steal(capsule);
}

/// The `stream` of both protocols: 1 is the default stream, 2 that of each thread, -1 asks for no
/// order.
nb::object dlpackOf(nb::handle self, std::optional<int64_t> stream,
                    std::optional<std::pair<int, int>> version,
                    std::optional<std::pair<int, int>> device, std::optional<bool> copy) {
  const auto &array = nb::cast<const DeviceArray &>(self);
  if (stream && *stream < -1)
    throw nb::value_error("a stream is a number that is not negative, or -1 for no order");
  if (stream == 0)
    throw nb::value_error(
        "stream 0 is not allowed: 1 is the default stream, 2 that of each thread");
  if (device && *device != std::pair<int, int>{kDlCuda, 0})
    throw nb::buffer_error("the array lies on GPU 0 and is not copied to another device");
  if (copy.value_or(false))
    throw nb::buffer_error("the array is not copied");
  if (stream != -1)
    order(array.stream(), static_cast<uint64_t>(stream.value_or(1)));
  if (!version || version->first < 1)
    return capsuleOf(managedOf<DLManagedTensor>(self), kPlain);
  auto *const managed = managedOf<DLManagedTensorVersioned>(self);
  managed->major = 1;
  return capsuleOf(managed, kVersioned);
}

nb::dict interfaceOf(const DeviceArray &array) {
  nb::list shape;
  for (const int64_t length : array.shape())
    shape.append(length);
  nb::dict found;
  found["shape"] = nb::tuple(shape);
  found["typestr"] = array.isDouble() ? "<f8" : "<i4";
  found["data"] = nb::make_tuple(array.address(), false);
  found["strides"] = nb::none();
  found["version"] = 3;
  found["stream"] = array.stream() == 0 ? 1 : array.stream();
  return found;
}

} // namespace

void defineDeviceArrays(nb::module_ &module) {
  module.def("device_of", &deviceOf, nb::arg("address"), nb::call_guard<WithoutGil>(),
             "The number of the GPU in whose memory an address is; -1: unknown");
  module.def("order_streams", &order, nb::arg("before"), nb::arg("after"),
             "Makes later work of a stream wait for the present work of another");
  module.def("download", &download, nb::arg("address"), nb::arg("to").noconvert(),
             "Copies memory of the GPU, and waits for it; other streams must have ended");
  module.def("upload", &upload, nb::arg("from_").noconvert(), nb::arg("address"),
             "Copies bytes to memory of the GPU, and waits for it");
  nb::class_<ArrayView>(module, "ArrayView")
      .def(nb::init<nb::object>(), nb::arg("capsule"))
      .def("address", &ArrayView::address)
      .def("shape", &ArrayView::shape)
      .def("strides", &ArrayView::strides, "Bytes from entry to entry of each axis")
      .def("device", &ArrayView::device, "(type, number) as DLPack has them")
      .def("type", &ArrayView::type, "(code of DLPack, bits) of a number")
      .def("is_read_only", &ArrayView::isReadOnly);
  nb::class_<DeviceArray>(module, "DeviceArray", nb::type_slots(arraySlots),
                          "An array in the memory of a GPU")
      .def(nb::init<std::vector<int64_t>, bool, uint64_t, nb::object>(), nb::arg("shape"),
           nb::arg("is_double"), nb::arg("stream"), nb::arg("inputs").none())
      .def("address", &DeviceArray::address)
      .def_prop_ro("shape",
                   [](const DeviceArray &array) { return nb::tuple(nb::cast(array.shape())); })
      .def("__dlpack__", &dlpackOf, nb::kw_only(), nb::arg("stream").none() = nb::none(),
           nb::arg("max_version").none() = nb::none(), nb::arg("dl_device").none() = nb::none(),
           nb::arg("copy").none() = nb::none())
      .def("__dlpack_device__", [](const DeviceArray &) { return nb::make_tuple(kDlCuda, 0); })
      .def_prop_ro("__cuda_array_interface__", &interfaceOf);
}

} // namespace mpf::python
