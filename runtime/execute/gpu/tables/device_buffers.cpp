#include "runtime/execute/gpu/tables/device_buffers.h"

#include "dsl/support/check.h"
#include "dsl/support/packed_table.h"
#include "dsl/support/table_layout.h"
#include "runtime/execute/host/bind_input.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace mpf {

namespace {

/// Returns the bytes of an input on the device.
uint64_t bytesOf(const Bundle &bundle, const BundleBuffer &buffer) {
  return buffer.packed ? packedWords(buffer.sizeElems) * kPackedWordBytes
                       : bufferBytes(buffer.sizeElems, bundle.type, bundle.signedValues);
}

using Flags = std::array<uint8_t, kPackedWordElems>; ///< 0 or 1 each

/// Returns a word whose bit i is flag i.
uint32_t wordOf(const Flags &flags) {
  constexpr uint64_t kGather = 0x0102040810204080; // byte i times this has bit 56 + i
  uint32_t word = 0;
  for (uint32_t i = 0; i < flags.size(); i += 8) {
    uint64_t eight = 0;
    std::memcpy(&eight, &flags[i], sizeof eight);
    word |= static_cast<uint32_t>(eight * kGather >> 56) << i;
  }
  return word;
}

/// Packs a table. `zero` and `one` depend on the table's form. The loop sets flags first, so that
/// compilers vectorise it.
template <class T>
void packWords(const BundleBuffer &buffer, const T *entries, T zero, T one, std::byte *to) {
  for (uint64_t word = 0; word < packedWords(buffer.sizeElems); ++word) {
    const uint64_t first = word * kPackedWordElems;
    const uint64_t count = std::min<uint64_t>(kPackedWordElems, buffer.sizeElems - first);
    Flags ones{}, others{};
    for (uint64_t i = 0; i < count; ++i) {
      ones[i] = entries[first + i] == one;
      others[i] = !(entries[first + i] == one || entries[first + i] == zero);
    }
    if (const uint32_t wrong = wordOf(others); wrong != 0)
      fail(ErrorKind::BadInput,
           "factor {}: entry {} (as stored) is neither zero nor one, but the program was built for "
           "a table of zeros and ones",
           buffer.name, first + static_cast<uint64_t>(std::countr_zero(wrong)));
    const uint32_t bits = wordOf(ones);
    std::memcpy(to + word * kPackedWordBytes, &bits, kPackedWordBytes);
  }
}

template <class T>
void packReals(const BundleBuffer &buffer, const std::byte *entries, bool plain, std::byte *to) {
  const T zero = plain ? T(0) : -std::numeric_limits<T>::infinity();
  packWords(buffer, reinterpret_cast<const T *>(entries), zero, T(plain ? 1 : 0), to);
}

template <class T>
void packIntegers(const BundleBuffer &buffer, const std::byte *entries, std::byte *to) {
  packWords(buffer, reinterpret_cast<const T *>(entries), T{0}, T{1}, to);
}

void packBits(const Bundle &bundle, const BundleBuffer &buffer, const TableState &state,
              const std::byte *entries, std::byte *to) {
  const bool plain = !hasPlainTables(bundle) && state.form == 0; // sums and logarithms: -inf and 0
  switch (bundle.type) {
  case ElementType::F32:
    return packReals<float>(buffer, entries, plain, to);
  case ElementType::F64:
    return packReals<double>(buffer, entries, plain, to);
  case ElementType::U64:
    return packIntegers<uint64_t>(buffer, entries, to);
  case ElementType::U128:
    return packIntegers<Uint128>(buffer, entries, to);
  }
}

} // namespace

DeviceBuffers::DeviceBuffers(const Bundle &bundle)
    : bundle_(bundle), inputBytes_(bundle.inputArenaBytes) {
  for (const BundleBuffer &buffer : bundle.buffers)
    offsetsBytes_.push_back(buffer.offsetBytes);
  if (!bundle.packs())
    return;
  inputBytes_ = 0;
  for (size_t i = 0; i < bundle.buffers.size(); ++i)
    if (const BundleBuffer &buffer = bundle.buffers[i]; buffer.input) {
      const uint64_t bytes = bytesOf(bundle, buffer);
      offsetsBytes_[i] = roundUp(inputBytes_, tableAlignBytes(bytes));
      inputBytes_ = offsetsBytes_[i] + roundUp(bytes, kTableGrainBytes);
    }
}

uint64_t DeviceBuffers::offsetBytes(BufferId buffer, uint64_t entry) const {
  const bool packed = bundle_.buffer(buffer).packed;
  MPF_CHECK(!packed || entry % kPackedWordElems == 0, "entry {} of {} is inside a word", entry,
            bundle_.buffer(buffer).name);
  return offsetsBytes_[buffer.index()] + (packed ? entry / kPackedWordElems * kPackedWordBytes
                                                 : entry * elementBytes(bundle_.type));
}

uint64_t DeviceBuffers::signOffsetBytes(BufferId buffer) const {
  return offsetBytes(buffer) + bundle_.buffer(buffer).sizeElems * elementBytes(bundle_.type);
}

CopyRange DeviceBuffers::rangeOf(BufferId buffer) const {
  return {offsetsBytes_[buffer.index()], bytesOf(bundle_, bundle_.buffer(buffer))};
}

void DeviceBuffers::pack(std::span<const std::byte> entries, std::span<const TableState> states,
                         std::span<const char> changed, std::span<std::byte> image) const {
  MPF_CHECK(image.size() == inputBytes_, "an image of {} bytes for an arena of {}", image.size(),
            inputBytes_);
  for (size_t i = 0; i < bundle_.buffers.size(); ++i) {
    const BundleBuffer &buffer = bundle_.buffers[i];
    if (!buffer.input || !(changed.empty() || changed[i]))
      continue;
    const std::byte *const from = entries.data() + buffer.offsetBytes;
    std::byte *const to = image.data() + offsetsBytes_[i];
    if (buffer.packed)
      packBits(bundle_, buffer, states[i], from, to);
    else
      std::memcpy(to, from, bytesOf(bundle_, buffer));
  }
}

} // namespace mpf
