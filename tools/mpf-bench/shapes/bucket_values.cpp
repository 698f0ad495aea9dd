#include "tools/mpf-bench/shapes/bucket_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <type_traits>

namespace mpf::bench {

namespace {

template <class T> T storedAt(uint64_t place, ValueForm form) {
  const double value = valueAt(place);
  return static_cast<T>(form == ValueForm::Log ? std::log2(value) : value);
}

template <class T>
void fill(T *to, uint64_t first, uint64_t count, ValueForm form, unsigned threads) {
  const uint64_t share = count / std::max(1u, threads) + 1;
  const auto fillPart = [=](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i)
      to[i] = storedAt<T>(first + i, form);
  };
  std::vector<std::thread> workers;
  for (uint64_t begin = share; begin < count; begin += share)
    workers.emplace_back(fillPart, begin, std::min(count, begin + share));
  fillPart(0, std::min(count, share));
  for (std::thread &worker : workers)
    worker.join();
}

/// Returns the number of places of a table.
uint64_t placesOf(const DigitAccess &access, ElementType type) {
  if (!access.packed)
    return access.sizeElems;
  const uint64_t inPlace = uint64_t{8} * elementBytes(type);
  return (access.sizeElems + inPlace - 1) / inPlace;
}

/// Returns entry `offset` of a table that starts at `place`; a packed table has bits of the values.
template <class T>
long double entryAt(const DigitAccess &access, uint64_t place, uint64_t offset, ValueForm form) {
  constexpr uint64_t kBits = 8 * sizeof(T);
  if (!access.packed) {
    const long double stored = storedAt<T>(place + offset, form);
    return form == ValueForm::Log ? std::exp2(stored) : stored;
  }
  using Word = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  const auto word = std::bit_cast<Word>(storedAt<T>(place + offset / kBits, form));
  return static_cast<long double>(word >> offset % kBits & 1);
}

/// Returns the digits of an address over digits [first, last), most significant first.
std::vector<uint64_t> decode(const DigitForm &form, size_t first, size_t last, uint64_t address) {
  std::vector<uint64_t> values(last - first);
  for (size_t d = last; d-- > first;) {
    values[d - first] = address % form.digits[d].extent;
    address /= form.digits[d].extent;
  }
  return values;
}

long double reduced(Reduce reduce, long double total, long double term) {
  switch (reduce) {
  case Reduce::Max:
    return std::max(total, term);
  case Reduce::Min:
    return std::min(total, term);
  case Reduce::Sum:
  case Reduce::LogSum:
    break;
  }
  return total + term;
}

/// Computes one entry by the definition, from the entries as stored in type T.
template <class T>
long double definition(const DigitForm &form, const std::vector<uint64_t> &places,
                       ValueForm valueForm, const std::vector<uint64_t> &outer) {
  const size_t kept = form.keptCount();
  const bool log = valueForm == ValueForm::Log;
  const bool times = form.semiring.combine == Combine::Times;
  long double total = 0;
  for (uint64_t r = 0; r < form.reducedAddresses(); ++r) {
    const std::vector<uint64_t> inner = decode(form, kept, form.digits.size(), r);
    long double term = times ? 1 : 0;
    for (size_t i = 0; i < form.operands.size(); ++i) {
      uint64_t offset = 0;
      for (size_t d = 0; d < form.digits.size(); ++d)
        offset += (d < kept ? outer[d] : inner[d - kept]) * form.operands[i].stridesElems[d];
      const long double value = entryAt<T>(form.operands[i], places[i], offset, valueForm);
      term = times ? term * value : term + value;
    }
    total = r == 0 ? term : reduced(form.semiring.reduce, total, term);
  }
  return log ? std::log2(total) : total;
}

} // namespace

double valueAt(uint64_t place) {
  uint64_t bits = (place + 1) * 0x9e3779b97f4a7c15ull;
  bits = (bits ^ (bits >> 32)) * 0xd6e8feb86659fd93ull;
  bits ^= bits >> 32;
  return 0.5 + static_cast<double>(bits >> 12) * 0x1p-53;
}

void fillEntries(float *to, uint64_t first, uint64_t count, ValueForm form, unsigned threads) {
  fill(to, first, count, form, threads);
}

void fillEntries(double *to, uint64_t first, uint64_t count, ValueForm form, unsigned threads) {
  fill(to, first, count, form, threads);
}

std::vector<uint64_t> operandPlaces(const DigitForm &form, ElementType type) {
  const uint64_t align = 256 / elementBytes(type);
  std::vector<uint64_t> places;
  uint64_t next = 0;
  for (const DigitAccess &operand : form.operands) {
    places.push_back(next);
    next += (placesOf(operand, type) + align - 1) / align * align;
  }
  return places;
}

uint64_t placesNeeded(const DigitForm &form, ElementType type) {
  return form.operands.empty()
             ? 0
             : operandPlaces(form, type).back() + placesOf(form.operands.back(), type);
}

double worstError(const DigitForm &form, ElementType type, ValueForm valueForm, unsigned samples,
                  const std::function<double(uint64_t offset)> &read) {
  const std::vector<uint64_t> places = operandPlaces(form, type);
  const uint64_t addresses = form.keptAddresses();
  std::mt19937_64 random(20080607);
  double worst = 0;
  for (unsigned i = 0; i < samples; ++i) {
    // Always include the first and the last entry, where errors in guards and tails show.
    const uint64_t address = i == 0 ? 0 : i == 1 ? addresses - 1 : random() % addresses;
    const std::vector<uint64_t> kept = decode(form, 0, form.keptCount(), address);
    uint64_t offset = 0;
    for (size_t d = 0; d < kept.size(); ++d)
      offset += kept[d] * form.result.stridesElems[d];
    const auto expected = static_cast<double>(
        type == ElementType::F32 ? definition<float>(form, places, valueForm, kept)
                                 : definition<double>(form, places, valueForm, kept));
    const double scale = valueForm == ValueForm::Log ? 1 / std::log(2.0) : std::abs(expected);
    const double found = read(offset);
    const double error = found == expected ? 0 : std::abs(found - expected) / scale; // maybe zeros
    if (std::isnan(error))
      return std::numeric_limits<double>::infinity();
    worst = std::max(worst, error);
  }
  return worst;
}

} // namespace mpf::bench
