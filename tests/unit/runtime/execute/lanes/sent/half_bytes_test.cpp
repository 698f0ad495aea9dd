#include "runtime/execute/lanes/sent/half_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace mpf {
namespace {

std::byte plainHalf(std::byte byte) { return std::min(byte, std::byte{kHalfByteNone}); }

bool isPlainlyGood(std::byte byte, uint32_t none) {
  return byte < std::byte{kHalfByteNone} || std::to_integer<uint32_t>(byte) >= none;
}

/// Memory at an address that is `misplaced` bytes after a multiple of 64.
class Misplaced {
public:
  Misplaced(size_t size, size_t misplaced, std::byte filled) : memory_(size + 128, filled) {
    const auto at = reinterpret_cast<uintptr_t>(memory_.data());
    first_ = (64 - at % 64) % 64 + misplaced;
  }
  std::byte *data() { return memory_.data() + first_; }

private:
  std::vector<std::byte> memory_;
  size_t first_;
};

/// Packs valid codes, and checks every half and the memory around them.
void expectPacked(HalfBytePacker pack, const std::vector<std::byte> &codes, size_t fromPlace,
                  size_t toPlace) {
  constexpr std::byte kUntouched{0xa5};
  const size_t size = (codes.size() + 1) / 2;
  Misplaced from(codes.size(), fromPlace, kUntouched), to(size + 2, toPlace, kUntouched);
  std::copy(codes.begin(), codes.end(), from.data());
  std::byte *const packed = to.data() + 1;
  ASSERT_TRUE(pack(from.data(), codes.size(), 255, packed));
  for (size_t i = 0; i < 2 * size; ++i) {
    const std::byte found = i % 2 == 0 ? packed[i / 2] & std::byte{15} : packed[i / 2] >> 4;
    ASSERT_EQ(found, i < codes.size() ? plainHalf(codes[i]) : std::byte{0})
        << i << " of " << codes.size() << " from " << fromPlace << " to " << toPlace;
  }
  ASSERT_EQ(to.data()[0], kUntouched);
  ASSERT_EQ(to.data()[size + 1], kUntouched);
}

TEST(PackHalfBytes, EveryCodeComesToItsHalf) {
  std::mt19937 random(3);
  const auto draw = [&](size_t count) {
    std::vector<std::byte> codes(count);
    for (std::byte &code : codes)
      code = random() % 8 == 0 ? std::byte{255} : std::byte(random() % 15);
    return codes;
  };
  for (const HalfBytePacker pack : halfBytePackers()) {
    for (size_t count = 0; count < 200; ++count)
      expectPacked(pack, draw(count), 0, 63);
    for (size_t place = 0; place < 64; ++place)
      for (const size_t count : {31u, 64u, 65u, 130u, 301u})
        expectPacked(pack, draw(count), place, random() % 64);
    for (size_t place = 0; place < 64; ++place)
      expectPacked(pack, draw(250), random() % 64, place);
  }
}

/// Every byte is tested, at every place of vectors and of the rest.
TEST(PackHalfBytes, BytesThatAreNoCodeAreFound) {
  constexpr size_t kCount = 205;
  std::vector<std::byte> codes(kCount, std::byte{14}), packed(kCount + 16);
  for (const HalfBytePacker pack : halfBytePackers())
    for (const uint32_t none : {15u, 16u, 128u, 255u})
      for (uint32_t value = 0; value < 256; ++value)
        for (size_t place = 0; place < kCount; ++place) {
          codes[place] = std::byte(value);
          ASSERT_EQ(pack(codes.data(), kCount, none, packed.data() + place % 16),
                    isPlainlyGood(std::byte(value), none))
              << value << " at " << place << ", none from " << none;
          codes[place] = std::byte{14};
        }
}

TEST(PackHalfBytes, TheFastestIsTaken) {
  const std::vector<std::byte> codes = {std::byte{1}, std::byte{2}, std::byte{255}};
  std::vector<std::byte> packed(2);
  ASSERT_TRUE(packHalfBytes(codes.data(), codes.size(), 255, packed.data()));
  EXPECT_EQ(packed, (std::vector<std::byte>{std::byte{0x21}, std::byte{0x0f}}));
}

} // namespace
} // namespace mpf
