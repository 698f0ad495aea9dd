#include "runtime/execute/host/integer_tables.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace mpf {

namespace {

int32_t exponentOf(Uint128 value) {
  const auto high = static_cast<uint64_t>(value >> 64), low = static_cast<uint64_t>(value);
  return static_cast<int32_t>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(low)) - 1;
}

template <class T>
bool sumIntegers(const SliceSum &how, const TableView &slice, const MutableTable &sum) {
  const T *from = reinterpret_cast<const T *>(slice.entries);
  T *into = reinterpret_cast<T *>(sum.entries);
  const T before = into[0];
  T least = static_cast<T>(-1), greatest = 0;
  for (uint64_t i = 0; i < sum.sizeElems; ++i) {
    if (how.reduce == Reduce::Sum) {
      if (!addIntegers(into[i], from[i], into[i]))
        failOverflow(how.operation, slice.type);
    } else {
      into[i] = how.reduce == Reduce::Max ? std::max(into[i], from[i]) : std::min(into[i], from[i]);
    }
    greatest = std::max(greatest, into[i]);
    least = into[i] == 0 ? least : std::min(least, into[i]);
  }
  *sum.state = integerState(least, greatest);
  return how.reduce != Reduce::Sum && into[0] != before;
}

} // namespace

TableState integerState(Uint128 least, Uint128 greatest) {
  if (greatest == 0)
    return {};
  return {0, exponentOf(least), exponentOf(greatest), 0};
}

bool isLostCount(const TableState &state, ElementType type) {
  return !state.allZero() && state.maxExponent >= integerBits(type);
}

void failOverflow(std::string_view operation, ElementType type) {
  fail(ErrorKind::Overflow, "a count is above 2^{} - 1, the greatest {}; {} (operation {})",
       integerBits(type), elementTypeName(type),
       type == ElementType::U64
           ? "--type u128 holds counts below 2^128, f64 rounds them but holds any"
           : "--type f64 rounds counts but holds any",
       operation);
}

bool accumulateIntegers(const SliceSum &how, const TableView &slice, const MutableTable &sum) {
  if (how.first) {
    std::memcpy(sum.entries, slice.entries, slice.sizeElems * elementBytes(slice.type));
    *sum.state = slice.state;
    return true;
  }
  return slice.type == ElementType::U64 ? sumIntegers<uint64_t>(how, slice, sum)
                                        : sumIntegers<Uint128>(how, slice, sum);
}

} // namespace mpf
