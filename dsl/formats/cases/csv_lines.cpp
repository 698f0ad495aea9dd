#include "dsl/formats/cases/csv_lines.h"

#include "dsl/formats/cases/csv_records.h"
#include "dsl/support/check.h"
#include "dsl/support/files/byte_order_mark.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mpf {

namespace {

/// The bytes that one thread parses at a time: few compared with the cache of a CPU, many compared
/// with the cost of passing a chunk to a thread.
constexpr size_t kChunkBytes = size_t{256} << 10;
constexpr size_t kHeaderReadBytes = size_t{64} << 10;

/// Returns the result of endOfRow, but assumes that a quote whose cell exceeds the limit of a row
/// is never closed.
const char *endOfFirstRow(const char *begin, const char *end, bool isAll) {
  const char *const behind = endOfRow(begin, end, isAll);
  const auto size = static_cast<size_t>(end - begin);
  if (behind != nullptr || size <= kMaxRowBytes)
    return behind;
  const auto *lineFeed = static_cast<const char *>(::memrchr(begin, '\n', size));
  return lineFeed == nullptr ? nullptr : endOfRow(begin, lineFeed + 1, true);
}

} // namespace

/// Reads more text into carry_, for the header. Returns false at the end of the text.
bool CsvLines::readMore() {
  if (std::exchange(isFirst_, false)) { // spreadsheets start their .csv with a byte order mark
    carry_.resize(kByteOrderMark.size());
    carry_.resize(stream_.read(carry_.data(), carry_.size()));
    if (carry_ != kByteOrderMark)
      return !carry_.empty();
    carry_.clear();
    bytesTaken_ += kByteOrderMark.size();
    return true;
  }
  const size_t known = carry_.size(), wanted = std::max(kHeaderReadBytes, known);
  carry_.resize(known + wanted);
  carry_.resize(known + stream_.readUntilPause(carry_.data() + known, wanted));
  return carry_.size() != known;
}

std::optional<CsvLines::Row> CsvLines::takeRow() {
  bool isAll = false;
  for (;;) {
    const char *const begin = carry_.data(), *const end = begin + carry_.size();
    const char *const behind = carry_.empty() ? nullptr : endOfRow(begin, end, isAll);
    if (behind == nullptr && !isAll) {
      if (carry_.size() > kMaxRowBytes)
        fail(ErrorKind::BadInput, "{}: line {} is longer than {}, the limit for a row",
             stream_.name(), linesTaken_ + 1, formatBytes(kMaxRowBytes));
      isAll = !readMore();
      if (isAll && !carry_.empty() && !carry_.ends_with('\n'))
        carry_ += '\n';
      continue;
    }
    if (behind == nullptr)
      return std::nullopt;
    const auto size = static_cast<size_t>(behind - begin);
    std::string text = carry_.substr(0, size - 1);
    carry_.erase(0, size);
    carriesRows_ = !carry_.empty();
    bytesTaken_ += size;
    if (text.ends_with('\r'))
      text.pop_back();
    const uint64_t line = linesTaken_ + 1;
    linesTaken_ += 1 + static_cast<uint64_t>(std::ranges::count(text, '\n'));
    if (!text.empty())
      return Row{std::move(text), line};
  }
}

std::optional<uint64_t> CsvLines::likelyRows() {
  if (stream_.likelyBytes() == 0) // the size of a pipe is unknown, and reading would wait
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

/// Drops the rest of a line that is too long. Returns false at the end of the text.
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
  for (bool areRowsThere = std::exchange(carriesRows_, false);; areRowsThere = false) {
    const bool isRead = !areRowsThere || stream_.isReady();
    if (isRead)
      size += stream_.readUntilPause(chunk.bytes.data() + size, room - size);
    chunk.isPaused = !isRead || stream_.hasPaused();
    const bool ended = size < room && !chunk.isPaused;
    char *const bytes = chunk.bytes.data();
    if (ended && size != 0 && bytes[size - 1] != '\n')
      bytes[size++] = '\n';
    const char *behind = ended ? bytes + size : lastRowEnd(bytes, bytes + size);
    if (behind == nullptr && size > kMaxRowBytes)
      behind = endOfFirstRow(bytes, bytes + size, false);
    if (behind != nullptr) {
      chunk.size = static_cast<size_t>(behind - bytes);
      if (mostRows < chunk.size / 2) { // a row has at least two bytes
        const char *const fitting = endOfRows(bytes, behind, mostRows).end;
        carriesRows_ = fitting != behind;
        chunk.isPaused = chunk.isPaused && !carriesRows_;
        chunk.size = static_cast<size_t>(fitting - bytes);
      }
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
    room = std::max(room, size == room ? 2 * size : 0);
    chunk.bytes.reserve(room + 1, size);
  }
}

} // namespace mpf
