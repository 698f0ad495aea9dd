#include "runtime/execute/gpu/runs/gpu_arenas.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

GpuArenas::GpuArenas(const CudaDevice &device, const Bundle &bundle)
    : device_(device), bundle_(bundle), buffers_(bundle), inputs_(device, buffers_.inputBytes()),
      work_(device, bundle.workArenaBytes),
      table_(buildGpuOperationTable(bundle, buffers_, inputs_.address(), work_.address())),
      recordTable_(buildGpuRecords(table_)),
      operations_(device, table_.operations.size() * sizeof(GpuOperation)),
      records_(device, recordTable_.units.size() * sizeof(GpuRecordUnit)) {
  operations_.upload(table_.operations.data(), operations_.sizeBytes());
  records_.upload(recordTable_.units.data(), records_.sizeBytes());
}

CudaDevicePointer GpuArenas::addressOf(const BundleAccess &access,
                                       const SliceStates &states) const {
  return (bundle_.buffer(access.buffer).input ? inputs_ : work_).address() +
         buffers_.offsetBytes(access.buffer, sliceOffsetElems(access, states));
}

void GpuArenas::moveTo(std::span<const uint32_t> operations, const SliceStates &states) {
  if (operations.empty())
    return;
  MPF_CHECK(std::ranges::is_sorted(operations) && operations.back() < table_.operations.size(),
            "operations of a slice out of order, up to {} of {}", operations.back(),
            table_.operations.size());
  for (const uint32_t index : operations) {
    GpuOperation &moved = table_.operations[index];
    const BundleOperation &operation = bundle_.operations[index];
    for (size_t slot = 0; slot < operation.operands.size(); ++slot) {
      const BundleAccess &access = operation.operands[slot];
      if (access.sliceStridesElems.empty())
        continue;
      moved.table[slot] = addressOf(access, states);
      if (moved.signs[slot] != 0)
        moved.signs[slot] = inputs_.address() + buffers_.signOffsetBytes(access.buffer) +
                            sliceOffsetElems(access, states);
    }
    recordTable_.set(index, moved);
  }
  const uint32_t first = operations.front(), end = operations.back() + 1;
  operations_.upload(&table_.operations[first], (end - first) * sizeof(GpuOperation),
                     first * sizeof(GpuOperation));
  const uint64_t record = recordTable_.first[first];
  records_.upload(recordTable_.units.data() + record,
                  (recordTable_.first[end] - record) * sizeof(GpuRecordUnit),
                  record * sizeof(GpuRecordUnit));
}

std::vector<std::byte> GpuArenas::startRead(BufferId buffer, const TableState &state) const {
  const BundleBuffer &place = bundle_.buffer(buffer);
  MPF_CHECK(!place.packed, "packed input {} is read from the device", place.name);
  std::vector<std::byte> bytes(bufferBytes(place.sizeElems, bundle_.type, bundle_.signedValues));
  const bool hasSigns = state.form != 0 && bundle_.signedValues;
  const uint64_t written = bufferBytes(place.sizeElems, bundle_.type, hasSigns);
  (place.input ? inputs_ : work_).download(bytes.data(), written, buffers_.offsetBytes(buffer));
  return bytes;
}

void GpuArenas::startWrite(BufferId buffer, std::span<const std::byte> bytes) const {
  const BundleBuffer &place = bundle_.buffer(buffer);
  MPF_CHECK(!place.input, "input {} is written as a result", place.name);
  work_.upload(bytes.data(), bytes.size(), place.offsetBytes);
}

void GpuArenas::reservePartials(uint64_t bytes) { partials_ = DeviceMemory(device_, bytes); }

} // namespace mpf
