#include "dsl/formats/tables/npy_file.h"

#include "dsl/formats/tables/npy_header.h"
#include "dsl/formats/tables/npy_number.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/system/growth_guard.h"
#include "dsl/support/system/watched_call.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace mpf {

namespace {

const char *refusedEntry(NpyKind kind) {
  switch (kind) {
  case NpyKind::Bool:
    return "neither 0 nor 1";
  case NpyKind::Float:
    return "not a number";
  default:
    return "an integer that no double holds exactly";
  }
}

/// Reorders entries from first index fastest to last index fastest.
std::vector<double> fromFortranOrder(const std::vector<double> &stored,
                                     const std::vector<uint64_t> &shape) {
  std::vector<uint64_t> strides(shape.size()), index(shape.size(), 0);
  uint64_t stride = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    strides[d] = stride;
    stride *= shape[d];
  }
  std::vector<double> values;
  values.reserve(stored.size());
  uint64_t at = 0;
  for (size_t i = 0; i < stored.size(); ++i) {
    values.push_back(stored[at]);
    // Count through the indices, the last one fastest, and update `at`.
    for (size_t d = shape.size(); d-- > 0;) {
      at += strides[d];
      if (++index[d] != shape[d])
        break;
      at -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
  return values;
}

/// The numbers of an array that arrive piece by piece.
class NpyNumbers {
public:
  NpyNumbers(const ByteInput &input, const NpyHeader &header) : input_(input), header_(header) {}

  /// Reads all of them; returns false after setting `problem`.
  bool read(std::string &problem) {
    const uint64_t elems = header_.elems();
    // A size that is only claimed takes no memory before the numbers are there.
    if (input_.bytes)
      values_.reserve(elems);
    for (uint64_t done = 0; done < elems;) {
      throwIfCancelled();
      const uint64_t count = std::min(elems - done, kPieceItems);
      const uint64_t got = isNative() ? takeNative(count) : takeOther(count);
      const uint64_t bytes = got / header_.itemBytes * header_.itemBytes;
      if (bytes != got || got != count * header_.itemBytes) {
        problem = sizeProblem(header_, done * header_.itemBytes + got);
        return false;
      }
      if (!check(done, problem))
        return false;
      done += count;
    }
    if (const uint64_t more = skipRest(); more != 0) {
      problem = sizeProblem(header_, elems * header_.itemBytes + more);
      return false;
    }
    return true;
  }

  StoredArray take() {
    if (header_.fortranOrder && header_.shape.size() > 1)
      values_ = fromFortranOrder(values_, header_.shape);
    StoredArray stored;
    stored.array.shape = header_.shape;
    stored.array.values = std::make_shared<const std::vector<double>>(std::move(values_));
    if (missing_)
      stored.missing = {
          fmt::format("its entry {} in file order is {}", *missing_, refusedEntry(NpyKind::Float)),
          {}};
    return stored;
  }

private:
  static constexpr uint64_t kPieceItems = uint64_t{1} << 17;

  /// Whether the stored numbers are doubles of this machine.
  bool isNative() const {
    return header_.type.kind == NpyKind::Float && header_.type.bytes == sizeof(double) &&
           header_.type.bigEndian == (std::endian::native == std::endian::big);
  }
  /// Each appends up to `count` numbers and returns the number of bytes that there were.
  uint64_t takeNative(uint64_t count) {
    const size_t old = values_.size();
    values_.resize(old + count);
    return input_.read(reinterpret_cast<char *>(values_.data() + old), count * sizeof(double));
  }
  uint64_t takeOther(uint64_t count) {
    piece_.resize(count * header_.itemBytes);
    const uint64_t got = input_.read(piece_.data(), piece_.size());
    for (uint64_t at = 0; at + header_.itemBytes <= got; at += header_.itemBytes)
      values_.push_back(npyNumber(piece_.data() + at, header_.type));
    return got;
  }
  /// Looks at the numbers from `first` on. Returns false after setting `problem` for one that is
  /// refused.
  bool check(uint64_t first, std::string &problem) {
    const auto bad = std::find_if(values_.begin() + static_cast<std::ptrdiff_t>(first),
                                  values_.end(), [](double value) { return std::isnan(value); });
    if (bad == values_.end())
      return true;
    const auto place = static_cast<uint64_t>(bad - values_.begin());
    if (header_.type.kind == NpyKind::Float) {
      if (!missing_)
        missing_ = place;
      return true;
    }
    problem =
        fmt::format("its entry {} in file order is {}", place, refusedEntry(header_.type.kind));
    return false;
  }
  uint64_t skipRest() {
    uint64_t more = 0;
    piece_.resize(kPieceItems);
    for (uint64_t got = 1; got != 0; more += got)
      got = input_.read(piece_.data(), piece_.size());
    return more;
  }

  const ByteInput &input_;
  const NpyHeader &header_;
  std::vector<double> values_;
  std::string piece_;
  std::optional<uint64_t> missing_;
};

/// Reads the header; returns nothing after setting `problem`.
std::optional<NpyHeader> takeHeader(const ByteInput &input, std::string &problem) {
  std::string start(kNpyPreludeBytes, '\0');
  start.resize(input.read(start.data(), start.size()));
  const std::optional<size_t> bytes = npyHeaderBytes(start, problem);
  if (!bytes)
    return std::nullopt;
  if (*bytes < start.size()) {
    problem = "its header is too short";
    return std::nullopt;
  }
  const size_t had = start.size();
  start.resize(*bytes);
  start.resize(had + input.read(start.data() + had, *bytes - had));
  return parseNpyHeader(start, problem);
}

} // namespace

std::optional<StoredArray> readNpy(const ByteInput &input, uint64_t maxEntries,
                                   std::string &problem) {
  const auto header = takeHeader(input, problem);
  if (!header)
    return std::nullopt;
  if (!header->fields.empty()) {
    problem = "it holds records, numbers are needed";
    return std::nullopt;
  }
  const uint64_t elems = header->elems();
  const uint64_t needed = saturatingMul(elems, header->itemBytes);
  if (input.bytes && *input.bytes - header->dataBegin != needed) {
    problem = sizeProblem(*header, *input.bytes - header->dataBegin);
    return std::nullopt;
  }
  if (elems > maxEntries) {
    problem = fmt::format("it has {} entries (shape ({})), at most {} are wanted here", elems,
                          header->shapeText(), maxEntries);
    return std::nullopt;
  }
  requireMemory(input.name, saturatingMul(elems, sizeof(double)));
  NpyNumbers numbers(input, *header);
  if (!numbers.read(problem))
    return std::nullopt;
  return numbers.take();
}

std::string formatNpy(const std::vector<uint64_t> &shape, std::span<const double> values) {
  uint64_t elems = 1;
  for (const uint64_t dim : shape)
    elems *= dim;
  MPF_CHECK(elems == values.size(), "shape ({}) for {} values", fmt::join(shape, ", "),
            values.size());
  std::string file = formatNpyHeader(shape);
  file.reserve(file.size() + values.size() * sizeof(double));
  for (const double value : values) {
    const auto bits = std::bit_cast<uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8)
      file += static_cast<char>(bits >> shift & 0xff);
  }
  return file;
}

} // namespace mpf
