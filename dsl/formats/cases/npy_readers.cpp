#include "dsl/formats/cases/npy_readers.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

namespace mpf {

namespace {

/// The bytes read at once: few enough for the cache of a core, enough to amortise a system call.
constexpr uint64_t kPartBytes = uint64_t{256} << 10;

static_assert(NpyRows::kPaddingBytes <= ChunkBytes::kPaddingBytes);

[[noreturn]] void failAtEnd(const std::string &name, uint64_t row, uint64_t rows) {
  fail(ErrorKind::BadInput, "{}: ends before row {}, it has {} rows", name, row, rows);
}

class NpyStreamReader final : public ChunkReader {
public:
  NpyStreamReader(InputStream stream, const NpyLayout &layout, NpyRows rows)
      : stream_(std::move(stream)), layout_(layout), rows_(std::move(rows)),
        chunkRows_(std::max<uint64_t>(kPartBytes / layout.rowBytes, 1)) {}

  const std::string &name() const override { return stream_.name(); }
  const CaseSchema &schema() const override { return rows_.schema(); }
  std::optional<uint64_t> caseCount() const override { return layout_.rows; }
  void cancel() override {
    isCancelled_ = true;
    stream_.cancel();
  }

  bool fetch(CaseChunk &chunk) override {
    const uint64_t wanted = std::min(chunkRows_, layout_.rows - at_);
    if (wanted == 0 || isCancelled_) {
      if (!isCancelled_)
        requireEnd();
      return false;
    }
    chunk.bytes.reserve(wanted * layout_.rowBytes, 0);
    chunk.firstRow = at_;
    char *const bytes = chunk.bytes.data();
    uint64_t size = carry_.size();
    std::ranges::copy(carry_, bytes);
    size += stream_.readUntilPause(bytes + size, wanted * layout_.rowBytes - size);
    chunk.isPaused = stream_.hasPaused();
    if (chunk.isPaused && size < layout_.rowBytes)
      size += stream_.read(bytes + size, layout_.rowBytes - size);
    carry_.assign(bytes + size - size % layout_.rowBytes, bytes + size);
    const uint64_t rows = size / layout_.rowBytes; // if the stream ends early, its rows come first
    if (rows < wanted && isCancelled_)
      return false;
    if (rows == 0)
      failAtEnd(name(), at_ + 1, layout_.rows);
    chunk.size = rows * layout_.rowBytes;
    at_ += rows;
    chunk.isPaused |= at_ == layout_.rows; // requireEnd() follows later: it may wait
    return true;
  }

  void parse(CaseChunk &chunk, OnBadRow onBadRow) const override {
    const auto count = static_cast<uint32_t>(chunk.size / layout_.rowBytes);
    makeRoomForRows(chunk.block, schema(), count);
    chunk.lines = 0;
    chunk.bad.clear();
    RowProblems problems = rows_.take(chunk.bytes.data(), count, chunk.block, 0);
    chunk.block.count = settleProblems(problems, onBadRow, schema(), chunk.block, 0, count);
    for (auto &[row, message] : problems) {
      if (row < chunk.block.count)
        chunk.block.skipped.push_back(row);
      if (chunk.bad.size() < BadRows::kMostMessages)
        chunk.bad.push_back({0, {}, {}, fmt::format("row {}: {}", chunk.firstRow + row, message)});
    }
  }

  CasePlace placeOf(const ChunkPlace &chunk, uint64_t row, const CaseField &) const override {
    return {fmt::format("row {}", chunk.firstCase + row), 0, {}, 0, 0};
  }
  Diagnostic describe(const BadRow &row, uint64_t) const override {
    return {Severity::Error, {}, fmt::format("{}: {}", name(), row.message), {}};
  }

private:
  void requireEnd() {
    char byte = 0;
    if (stream_.read(&byte, 1) != 0)
      fail(ErrorKind::BadInput, "{}: goes on behind its {} rows", name(), layout_.rows);
  }

  InputStream stream_;
  NpyLayout layout_;
  NpyRows rows_;
  uint64_t chunkRows_;
  uint64_t at_ = 0;
  std::string carry_; ///< start of a row whose writer paused
  std::atomic<bool> isCancelled_{false};
};

class NpyFileReader final : public RowReader, private ByteRows {
public:
  NpyFileReader(InputStream stream, const NpyLayout &layout, NpyRows rows)
      : ByteRows(rows.rowBytes()), stream_(std::move(stream)), layout_(layout),
        rows_(std::move(rows)) {
    // Threads that write neighbouring parts of a column should share no cache line.
    constexpr uint64_t kLineCases = 64;
    const uint64_t fitting = std::clamp<uint64_t>(kPartBytes / layout_.rowBytes, 1, UINT32_MAX);
    partRows_ =
        static_cast<uint32_t>(fitting < kLineCases ? fitting : fitting / kLineCases * kLineCases);
  }

  const std::string &name() const override { return stream_.name(); }
  const CaseSchema &schema() const override { return rows_.schema(); }
  uint64_t rowCount() const override { return layout_.rows; }
  uint32_t partRows() const override { return partRows_; }
  const ByteRows *byteRows() const override { return rowBytes() == 0 ? nullptr : this; }

  RowProblems read(uint64_t row, uint32_t count, CaseBlock &block, uint32_t first,
                   ChunkBytes &bytes) const override {
    bytes.reserve(count * layout_.rowBytes, 0);
    if (!layout_.byColumns) {
      readBytes(layout_.dataBegin + row * layout_.rowBytes, bytes.data(), count * layout_.rowBytes,
                row + count);
    } else {
      const uint64_t itemBytes = layout_.rowBytes / layout_.columns;
      for (uint64_t column = 0; column < layout_.columns; ++column)
        readBytes(layout_.dataBegin + (column * layout_.rows + row) * itemBytes,
                  bytes.data() + column * count * itemBytes, count * itemBytes, row + count);
    }
    return rows_.take(bytes.data(), count, block, first);
  }

private:
  bool fetch(uint64_t first, uint32_t count, std::byte *to) const override {
    const uint64_t size = count * layout_.rowBytes;
    try {
      return stream_.readAt(layout_.dataBegin + first * layout_.rowBytes,
                            reinterpret_cast<char *>(to), size) == size;
    } catch (const Error &) {
      return false;
    }
  }
  void readBytes(uint64_t offset, char *into, uint64_t size, uint64_t endRow) const {
    if (stream_.readAt(offset, into, size) < size)
      failAtEnd(name(), endRow, layout_.rows);
  }

  InputStream stream_;
  NpyLayout layout_;
  NpyRows rows_;
  uint32_t partRows_;
};

} // namespace

std::unique_ptr<ChunkReader> npyStreamReader(InputStream stream, const NpyLayout &layout,
                                             NpyRows rows) {
  return std::make_unique<NpyStreamReader>(std::move(stream), layout, std::move(rows));
}

std::unique_ptr<RowReader> npyFileReader(InputStream stream, const NpyLayout &layout,
                                         NpyRows rows) {
  return std::make_unique<NpyFileReader>(std::move(stream), layout, std::move(rows));
}

} // namespace mpf
