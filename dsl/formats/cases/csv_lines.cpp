#include "dsl/formats/cases/csv_lines.h"

#include "dsl/support/byte_order_mark.h"
#include "dsl/support/error.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mpf {

namespace {

/// What one thread parses at a time: little beside a CPU's cache, much beside the cost of handing
/// it over.
constexpr size_t kChunkBytes = size_t{256} << 10;
constexpr size_t kHeaderReadBytes = size_t{64} << 10;

} // namespace

CsvRowsEnd endOfRows(const char *begin, const char *end, size_t most) {
  size_t rows = 0;
  for (const char *line = begin; line != end;) {
    const auto *lineFeed =
        static_cast<const char *>(std::memchr(line, '\n', static_cast<size_t>(end - line)));
    const auto length = static_cast<size_t>(lineFeed - line);
    const bool isRow = length > 1 || (length == 1 && *line != '\r');
    if (isRow && rows == most)
      return {line, rows};
    rows += isRow;
    line = lineFeed + 1;
  }
  return {end, rows};
}

std::optional<CsvLines::Line> CsvLines::takeLine() {
  for (size_t looked = 0;;) {
    const size_t lineFeed = carry_.find('\n', looked);
    if (lineFeed == std::string::npos) {
      looked = carry_.size();
      if (looked > kMaxRowBytes)
        fail(ErrorKind::BadInput, "{}: line {} is longer than {}, the limit for a row",
             stream_.name(), linesTaken_ + 1, formatBytes(kMaxRowBytes));
      carry_.resize(looked + kHeaderReadBytes);
      carry_.resize(looked + stream_.read(carry_.data() + looked, kHeaderReadBytes));
      if (carry_.size() > looked)
        continue;
      if (carry_.empty())
        return std::nullopt;
    }
    std::string line = carry_.substr(0, lineFeed);
    const size_t lineBytes = lineFeed == std::string::npos ? carry_.size() : lineFeed + 1;
    carry_.erase(0, lineBytes);
    bytesTaken_ += lineBytes;
    looked = 0;
    if (line.ends_with('\r'))
      line.pop_back();
    if (std::exchange(isFirst_, false) && line.starts_with(kByteOrderMark))
      line.erase(0, kByteOrderMark.size()); // spreadsheets start their .csv with one
    ++linesTaken_;
    if (!line.empty())
      return Line{std::move(line), linesTaken_};
  }
}

std::optional<uint64_t> CsvLines::likelyRows() {
  if (stream_.likelyBytes() == 0) // a pipe has no size, and may be waited for
    return std::nullopt;
  const size_t known = carry_.size();
  if (known < kChunkBytes) {
    carry_.resize(kChunkBytes);
    carry_.resize(known + stream_.read(carry_.data() + known, kChunkBytes - known));
  }
  const auto rest = static_cast<double>(
      std::max(stream_.likelyBytes(), bytesTaken_ + carry_.size()) - bytesTaken_);
  const size_t end = carry_.rfind('\n') + 1; // 0: there is none
  if (end == 0)
    return rest == 0 ? 0 : 1;
  const size_t rows = endOfRows(carry_.data(), carry_.data() + end, end).rows;
  return std::llround(rest / static_cast<double>(end) * static_cast<double>(rows));
}

/// Drops bytes up to the end of the line. False: the text has ended.
bool CsvLines::skipLongRow() {
  while (inLongRow_) {
    const size_t lineFeed = carry_.find('\n');
    bytesTaken_ += lineFeed != std::string::npos ? lineFeed + 1 : carry_.size();
    if (lineFeed != std::string::npos) {
      carry_.erase(0, lineFeed + 1);
      inLongRow_ = false;
      break;
    }
    carry_.resize(kChunkBytes);
    carry_.resize(stream_.read(carry_.data(), kChunkBytes));
    if (carry_.empty())
      return false;
  }
  return true;
}

bool CsvLines::fetch(CaseChunk &chunk, size_t mostRows) {
  chunk.isTooLong = false;
  if (!skipLongRow())
    return false;
  size_t room = std::max(kChunkBytes, carry_.size() + 1);
  chunk.bytes.reserve(room + 1, 0);
  size_t size = carry_.copy(chunk.bytes.data(), carry_.size());
  carry_.clear();
  chunk.firstByte = bytesTaken_;
  for (;;) {
    const size_t wanted = room - size;
    const size_t got = stream_.read(chunk.bytes.data() + size, wanted);
    size += got;
    const bool ended = got < wanted;
    char *const bytes = chunk.bytes.data();
    const auto *last = static_cast<const char *>(::memrchr(bytes, '\n', size));
    if (ended && size != 0 && bytes[size - 1] != '\n') {
      bytes[size] = '\n';
      last = bytes + size++;
    }
    if (last != nullptr || ended) {
      chunk.size = last == nullptr ? 0 : static_cast<size_t>(last - bytes) + 1;
      if (mostRows < chunk.size / 2) // a row has two bytes at least
        chunk.size =
            static_cast<size_t>(endOfRows(bytes, bytes + chunk.size, mostRows).end - bytes);
      carry_.assign(bytes + chunk.size, size - chunk.size);
      bytesTaken_ += chunk.size;
      return chunk.size != 0;
    }
    if (size > kMaxRowBytes) {
      chunk.isTooLong = inLongRow_ = true;
      chunk.size = size;
      bytesTaken_ += size;
      return true;
    }
    room = 2 * size;
    chunk.bytes.reserve(room + 1, size);
  }
}

} // namespace mpf
