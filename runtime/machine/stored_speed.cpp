#include "runtime/machine/stored_speed.h"

#include "dsl/support/error.h"
#include "runtime/machine/machine_identity.h"

namespace mpf {

namespace {

/// Version of the measurements: increase it when one of them changes its meaning.
constexpr uint64_t kSpeedFormat = 9;

Hash128 keyOfMachine() { return HashBuilder().add(kSpeedFormat).add(machineIdentity()).finish(); }

} // namespace

std::optional<MachineSpeed> loadSpeed() {
  const DiskCache cache;
  if (!cache.holds(keyOfMachine(), CacheKind::Speed))
    return std::nullopt;
  const std::optional<std::string> text = cache.load(keyOfMachine(), CacheKind::Speed);
  if (!text)
    return std::nullopt;
  try {
    return speedFromJson(*text);
  } catch (const Error &) {
    return std::nullopt; // an entry of another version, or a damaged one
  }
}

MachineSpeed storedSpeed() { return loadSpeed().value_or(shippedSpeed()); }

bool canStoreSpeed() {
  const Hash128 trial = HashBuilder().add(kSpeedFormat).add("trial").finish();
  const DiskCache cache;
  const bool can = cache.store(trial, "", CacheKind::Speed);
  cache.remove(trial, CacheKind::Speed);
  return can;
}

bool storeSpeed(const MachineSpeed &speed, const DiskCache &cache) {
  return cache.store(keyOfMachine(), speedJson(speed), CacheKind::Speed);
}

} // namespace mpf
