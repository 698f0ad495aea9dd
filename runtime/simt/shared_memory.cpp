#include "runtime/simt/shared_memory.h"

#include "dsl/support/check.h"

namespace mpf::simt {

SharedMemory::SharedMemory(const Launch &launch, const BlockOrder &order, Report &report)
    : launch_(launch), report_(report), storage_(launch.sharedBytes + kStaticBytes + 2 * kAlign),
      shadow_("shared memory", launch.sharedBytes + kStaticBytes, kWordBytes, FaultKind::SharedRace,
              order),
      end_(launch.sharedBytes) {
  const auto address = reinterpret_cast<uintptr_t>(storage_.data());
  begin_ = storage_.data() + (kAlign - address % kAlign) % kAlign;
  for (const SharedArray &array : launch.sharedArrays)
    arrays_.push_back({array.name, begin_ + array.offsetBytes, array.sizeBytes});
}

void *SharedMemory::staticArray(uint32_t id, uint64_t bytes) {
  const auto [found, isNew] = staticOffsets_.try_emplace(id, (end_ + 15) / 16 * 16);
  if (isNew) {
    end_ = found->second + bytes;
    MPF_CHECK(end_ <= launch_.sharedBytes + kStaticBytes,
              "{} bytes of static shared arrays, at most {}", end_ - launch_.sharedBytes,
              kStaticBytes);
  }
  return begin_ + found->second;
}

bool SharedMemory::isNear(const std::byte *at) const {
  return at >= storage_.data() - kNearBytes && at < storage_.data() + storage_.size() + kNearBytes;
}

bool SharedMemory::access(uint32_t site, const Moment &now, const std::byte *at, uint32_t bytes,
                          AccessKind kind) {
  const auto offset = static_cast<int64_t>(at - begin_);
  if (offset < 0 || static_cast<uint64_t>(offset) + bytes > end_) {
    report_.add(FaultKind::SharedOutOfBounds, site,
                "thread {} of block {} at byte {} of {} of shared memory", now.thread, now.block,
                offset, end_);
    return false;
  }
  const bool isBound = site < launch_.siteObjects.size() && !launch_.siteObjects[site].empty();
  for (const Array &array : arrays_) {
    const bool inside = at >= array.address && at + bytes <= array.address + array.bytes;
    if (inside || !isBound || array.name != launch_.siteObjects[site])
      continue;
    report_.add(FaultKind::SharedOutOfBounds, site,
                "thread {} of block {} at byte {} of array {} of {} bytes", now.thread, now.block,
                at - array.address, array.name, array.bytes);
    return false;
  }
  shadow_.access(site, now, static_cast<size_t>(offset), bytes, kind, true, report_);
  return true;
}

} // namespace mpf::simt
