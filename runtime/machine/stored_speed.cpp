#include "runtime/machine/stored_speed.h"

#include "dsl/support/error.h"
#include "dsl/support/system/environment.h"
#include "runtime/machine/machine_identity.h"
#include "runtime/machine/process_memory.h"
#include "runtime/machine/quick_look.h"

#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace mpf {

namespace {

/// Version of the measurements: increase it when one of them changes its meaning.
constexpr uint64_t kSpeedFormat = 10;

Hash128 keyOf(SpeedOrigin origin) {
  return HashBuilder()
      .add(kSpeedFormat)
      .add(static_cast<uint64_t>(origin))
      .add(machineIdentity())
      .finish();
}

std::optional<MachineSpeed> loadSpeed(const DiskCache &cache, SpeedOrigin origin) {
  if (!cache.holds(keyOf(origin), CacheKind::Speed))
    return std::nullopt;
  const std::optional<std::string> text = cache.load(keyOf(origin), CacheKind::Speed);
  if (!text)
    return std::nullopt;
  // A run asks several times, and reading the text takes longer than a small run. Each thread has
  // its own copy: a fork while another thread held a lock would stop the child.
  thread_local std::string lastText;
  thread_local std::optional<MachineSpeed> last; // what lastText says
  try {
    if (!last || lastText != *text) {
      last.reset();
      last = speedFromJson(*text);
      lastText = *text;
    }
    return last;
  } catch (const Error &) {
    return std::nullopt; // an entry of another version, or a damaged one
  }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true; // many times slower than builds that share the cache
#else
constexpr bool kIsSanitized = false;
#endif

bool mayLook() { return !kIsSanitized && environmentValue("MPF_LOOK") != "off"; }

} // namespace

KnownSpeed knownSpeed() {
  const DiskCache cache;
  for (const SpeedOrigin origin : {SpeedOrigin::Calibrated, SpeedOrigin::Looked})
    if (origin == SpeedOrigin::Calibrated || mayLook())
      if (std::optional<MachineSpeed> speed = loadSpeed(cache, origin))
        return {std::move(*speed), origin};
  return {shippedSpeed(), SpeedOrigin::Shipped};
}

MachineSpeed storedSpeed() { return knownSpeed().speed; }

void lookOnce() {
  constexpr uint64_t kLeastFreeBytes = uint64_t{1} << 30; // many times what the look takes
  if (!mayLook() || knownSpeed().origin != SpeedOrigin::Shipped || hostBytes() < kLeastFreeBytes ||
      !canStoreSpeed())
    return;
  MachineSpeed speed = shippedSpeed();
  try {
    speed.cpu = lookAtCpu(speed.cpu);
  } catch (const std::exception &) {
    return; // memory is short: a call that only looks does not fail
  }
  if (knownSpeed().origin == SpeedOrigin::Shipped) // another process may have looked meanwhile
    DiskCache().store(keyOf(SpeedOrigin::Looked), speedJson(speed), CacheKind::Speed);
}

bool canStoreSpeed() {
  const Hash128 trial = HashBuilder().add(kSpeedFormat).add("trial").finish();
  const DiskCache cache;
  const bool can = cache.store(trial, "", CacheKind::Speed);
  cache.remove(trial, CacheKind::Speed);
  return can;
}

bool storeSpeed(const MachineSpeed &speed, const DiskCache &cache) {
  return cache.store(keyOf(SpeedOrigin::Calibrated), speedJson(speed), CacheKind::Speed);
}

} // namespace mpf
