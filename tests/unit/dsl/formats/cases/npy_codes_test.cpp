#include "dsl/formats/cases/npy_codes.h"

#include <gtest/gtest.h>

#include <vector>

namespace mpf {
namespace {

/// Tests each number alone and among states, with two strides: counts with and without whole
/// vectors.
template <class Code, class Item>
void expectCodes(uint32_t extent, const std::vector<Item> &items) {
  for (const Item item : items)
    for (const size_t count : {1u, 16u, 40u})
      for (const size_t stride : {sizeof(Item), sizeof(Item) + 3}) {
        std::vector<char> bytes(count * stride);
        const size_t place = count / 2;
        std::memcpy(bytes.data() + place * stride, &item, sizeof(item));
        std::vector<Code> codes(count, 9);
        const bool areCodes =
            takeCodes<Code, Item>(bytes.data(), stride, count, extent, codes.data());
        const uint32_t expected = codeOf(item, extent);
        ASSERT_EQ(areCodes, expected != kNoCode) << +item << " of " << extent;
        for (size_t i = 0; i < count && areCodes; ++i)
          ASSERT_EQ(codes[i], i == place ? expected : 0) << +item << " of " << extent;
      }
}

template <class Item> std::vector<Item> edges() {
  std::vector<Item> items;
  for (const int near : {0, 1, 2, 3, 4, 99, 100, 126, 127, 128, 199, 200, 253, 254, 255, 299, 300})
    items.push_back(static_cast<Item>(near));
  for (const int below : {1, 2, 100})
    items.push_back(static_cast<Item>(-below));
  items.push_back(std::numeric_limits<Item>::max());
  items.push_back(std::numeric_limits<Item>::lowest());
  return items;
}

template <class Item> void expectAllCodes() {
  for (const uint32_t extent : {1u, 2u, 3u, 100u, 127u, 128u, 129u, 200u, 254u})
    expectCodes<uint8_t, Item>(extent, edges<Item>());
  for (const uint32_t extent : {2u, 255u, 256u, 300u, 65534u})
    expectCodes<uint16_t, Item>(extent, edges<Item>());
  for (const uint32_t extent : {2u, 65536u, 1u << 30})
    expectCodes<uint32_t, Item>(extent, edges<Item>());
}

TEST(NpyCodes, ABlockHasTheCodesOfItsNumbers) {
  expectAllCodes<int8_t>();
  expectAllCodes<uint8_t>();
  expectAllCodes<int16_t>();
  expectAllCodes<uint16_t>();
  expectAllCodes<int32_t>();
  expectAllCodes<uint32_t>();
  expectAllCodes<int64_t>();
  expectAllCodes<uint64_t>();
  expectAllCodes<float>();
  expectAllCodes<double>();
}

TEST(NpyCodes, WhatIsNotObserved) {
  EXPECT_EQ(codeOf<int8_t>(-128, 3), 3u);
  EXPECT_EQ(codeOf<int8_t>(127, 3), kNoCode);
  EXPECT_EQ(codeOf<uint8_t>(255, 3), 3u);
  EXPECT_EQ(codeOf<uint8_t>(254, 3), kNoCode);
  EXPECT_EQ(codeOf<uint8_t>(255, 300), 255u);
  EXPECT_EQ(codeOf<int64_t>(-1, 3), 3u);
  EXPECT_EQ(codeOf<double>(NAN, 3), 3u);
  EXPECT_EQ(codeOf<double>(2.5, 3), kNoCode);
}

} // namespace
} // namespace mpf
