#include "runtime/simt/memory.h"

#include "dsl/support/check.h"

#include <cstring>

namespace mpf::simt {

namespace {
uint64_t alignUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

std::byte *alignUp(std::byte *address, uint64_t to) {
  return address +
         (alignUp(reinterpret_cast<uintptr_t>(address), to) - reinterpret_cast<uintptr_t>(address));
}
} // namespace

Memory::Memory(const Launch &launch, std::span<Buffer> buffers, Report &report)
    : launch_(launch), report_(report) {
  uint64_t bytes = kForbidden + kAlign;
  for (const Buffer &buffer : buffers)
    bytes += alignUp(buffer.contents.size(), kAlign) + kForbidden;
  global_.resize(bytes);
  std::byte *at = alignUp(global_.data(), kAlign) + kForbidden;
  for (const Buffer &buffer : buffers) {
    std::memcpy(at, buffer.contents.data(), buffer.contents.size());
    buffers_.push_back({buffer.name, at, buffer.contents.size(),
                        buffer.isReadOnly || buffer.isConstant, buffer.isConstant});
    bufferShadows_.emplace_back(buffer.name, buffer.contents.size(),
                                buffer.holdsBytes ? 1 : kWordBytes, FaultKind::GlobalRace, order_);
    at += alignUp(buffer.contents.size(), kAlign) + kForbidden;
  }
  for (const PointerPlace &place : launch.pointers) {
    uint64_t value = 0;
    std::byte *const word = buffers_[place.buffer].address + place.offsetBytes;
    MPF_CHECK(place.offsetBytes + sizeof value <= buffers_[place.buffer].bytes,
              "a pointer at byte {} of a buffer of {}", place.offsetBytes,
              buffers_[place.buffer].bytes);
    std::memcpy(&value, word, sizeof value);
    value += reinterpret_cast<uintptr_t>(buffers_[place.target].address);
    std::memcpy(word, &value, sizeof value);
  }
}

void Memory::copyBack(std::span<Buffer> buffers) const {
  for (size_t i = 0; i < buffers.size(); ++i)
    std::memcpy(buffers[i].contents.data(), buffers_[i].address, buffers_[i].bytes);
}

bool Memory::mayTouch(uint32_t site, const std::string &name) const {
  return site >= launch_.siteObjects.size() || launch_.siteObjects[site].empty() ||
         launch_.siteObjects[site] == name;
}

template <class... Args>
Memory::Result Memory::fault(FaultKind kind, uint32_t site, fmt::format_string<Args...> text,
                             Args &&...args) {
  report_.add(kind, site, text, std::forward<Args>(args)...);
  return {dummy_, false, false};
}

Memory::Result Memory::access(SharedMemory &shared, uint32_t site, const Moment &now,
                              const void *address, uint32_t bytes, AccessKind kind) {
  MPF_CHECK(bytes <= sizeof dummy_, "an access of {} bytes, at most {}", bytes, sizeof dummy_);
  auto *const at = static_cast<std::byte *>(const_cast<void *>(address));
  if (reinterpret_cast<uintptr_t>(at) % bytes != 0)
    return fault(FaultKind::Misaligned, site,
                 "thread {} of block {} accesses {} bytes at an address that is {} "
                 "bytes past a multiple",
                 now.thread, now.block, bytes, reinterpret_cast<uintptr_t>(at) % bytes);
  const bool isGlobal = at >= global_.data() && at < global_.data() + global_.size();
  if (isGlobal || !shared.isNear(at))
    return accessGlobal(site, now, at, bytes, kind);
  const bool valid = shared.access(site, now, at, bytes, kind);
  return {valid ? at : dummy_, valid, valid};
}

Memory::Result Memory::accessGlobal(uint32_t site, const Moment &now, std::byte *at, uint32_t bytes,
                                    AccessKind kind) {
  if (kind == AccessKind::Atomic)
    order_.atomic(now, reinterpret_cast<uintptr_t>(at));
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const Region &buffer = buffers_[i];
    if (at < buffer.address || at + bytes > buffer.address + buffer.bytes)
      continue;
    if (!mayTouch(site, buffer.name))
      return fault(FaultKind::GlobalOutOfBounds, site,
                   "thread {} of block {} touches byte {} of buffer {} instead of {}", now.thread,
                   now.block, at - buffer.address, buffer.name, launch_.siteObjects[site]);
    if (buffer.isReadOnly && kind != AccessKind::Load)
      return fault(FaultKind::StoreToOperand, site, "thread {} of block {} stores to byte {} of {}",
                   now.thread, now.block, at - buffer.address, buffer.name);
    bufferShadows_[i].access(site, now, static_cast<size_t>(at - buffer.address), bytes, kind,
                             false, report_);
    return {at, true, false, buffer.isConstant};
  }
  // Names the buffer that the access missed: the last one that starts before the address.
  const Region *near = nullptr;
  for (const Region &buffer : buffers_)
    if (near == nullptr || buffer.address <= at)
      near = &buffer;
  if (near == nullptr)
    return fault(FaultKind::GlobalOutOfBounds, site, "a global access without any buffer");
  return fault(FaultKind::GlobalOutOfBounds, site,
               "thread {} of block {} at byte {} of buffer {} of {} bytes", now.thread, now.block,
               at - near->address, near->name, near->bytes);
}

} // namespace mpf::simt
