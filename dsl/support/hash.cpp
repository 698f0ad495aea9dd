#include "dsl/support/hash.h"

#include <fmt/format.h>
#include <new>
#include <xxhash.h>

namespace mpf {

namespace {
XXH3_state_t *stateOf(void *state) { return static_cast<XXH3_state_t *>(state); }
} // namespace

std::string Hash128::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

HashBuilder::HashBuilder() : state_(XXH3_createState()) {
  if (state_ == nullptr)
    throw std::bad_alloc();
  XXH3_128bits_reset(stateOf(state_)); // fails only without a state
}

HashBuilder::~HashBuilder() { XXH3_freeState(stateOf(state_)); }

HashBuilder &HashBuilder::addBytes(std::span<const std::byte> part) {
  const uint64_t size = part.size();
  XXH3_128bits_update(stateOf(state_), &size, sizeof size);
  XXH3_128bits_update(stateOf(state_), part.data(), part.size());
  return *this;
}

HashBuilder &HashBuilder::add(std::string_view part) {
  return addBytes(std::as_bytes(std::span(part.data(), part.size())));
}

HashBuilder &HashBuilder::add(uint64_t part) {
  return addBytes(std::as_bytes(std::span(&part, 1)));
}

Hash128 HashBuilder::finish() const {
  const XXH128_hash_t digest = XXH3_128bits_digest(stateOf(state_));
  return {digest.high64, digest.low64};
}

} // namespace mpf
