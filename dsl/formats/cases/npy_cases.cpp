#include "dsl/formats/cases/npy_cases.h"

#include "dsl/formats/cases/chunked_cases.h"
#include "dsl/formats/cases/npy_rows.h"
#include "dsl/support/counts.h"
#include "dsl/support/error.h"
#include "dsl/support/files/byte_source.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace mpf {

namespace {

constexpr uint64_t kNpyChunkBytes = uint64_t{256} << 10;

/// What the rows of an array look like.
struct NpyLayout {
  uint64_t rows = 0;
  uint64_t columns = 0;
  uint64_t rowBytes = 0;
  uint64_t dataBegin = 0;
  bool byColumns = false; ///< stored one column after the other
};

class NpyReader final : public ChunkReader {
public:
  NpyReader(InputStream stream, const NpyLayout &layout, NpyRows rows)
      : stream_(std::move(stream)), layout_(layout), rows_(std::move(rows)),
        chunkRows_(std::max<uint64_t>(kNpyChunkBytes / layout.rowBytes, 1)) {
    if (layout_.byColumns)
      file_.emplace(stream_.name(), UINT64_MAX);
  }

  const std::string &name() const override { return stream_.name(); }
  const CaseSchema &schema() const override { return rows_.schema(); }
  std::optional<uint64_t> caseCount() const override { return layout_.rows; }
  void cancel() override {
    isCancelled_ = true;
    stream_.cancel();
  }

  bool fetch(CaseChunk &chunk) override {
    const uint64_t rows = std::min(chunkRows_, layout_.rows - at_);
    if (rows == 0 || isCancelled_) {
      if (!isCancelled_)
        requireEnd();
      return false;
    }
    chunk.size = rows * layout_.rowBytes;
    chunk.bytes.reserve(chunk.size, 0);
    chunk.firstRow = at_;
    if (layout_.byColumns)
      readColumns(chunk.bytes.data(), rows);
    else if (stream_.read(chunk.bytes.data(), chunk.size) < chunk.size) {
      if (isCancelled_)
        return false;
      fail(ErrorKind::BadInput, "{}: ends before row {}, it has {} rows", name(), at_ + rows,
           layout_.rows);
    }
    at_ += rows;
    return true;
  }

  void parse(CaseChunk &chunk, OnBadRow onBadRow) const override {
    rows_.parse(chunk, static_cast<uint32_t>(chunk.size / layout_.rowBytes), onBadRow);
  }

  Diagnostic describe(const BadRow &row, uint64_t) const override {
    return {Severity::Error, {}, fmt::format("{}: {}", name(), row.message), {}};
  }

private:
  void readColumns(char *into, uint64_t rows) {
    const uint64_t itemBytes = layout_.rowBytes / layout_.columns;
    for (uint64_t column = 0; column < layout_.columns; ++column) {
      const std::string_view bytes = file_->at(
          layout_.dataBegin + (column * layout_.rows + at_) * itemBytes, rows * itemBytes);
      std::memcpy(into + column * rows * itemBytes, bytes.data(), bytes.size());
    }
  }

  void requireEnd() {
    char byte = 0;
    if (!layout_.byColumns && stream_.read(&byte, 1) != 0)
      fail(ErrorKind::BadInput, "{}: goes on behind its {} rows", name(), layout_.rows);
  }

  InputStream stream_;
  NpyLayout layout_;
  NpyRows rows_;
  uint64_t chunkRows_;
  uint64_t at_ = 0;
  std::optional<ByteSource> file_; ///< byColumns
  std::atomic<bool> isCancelled_{false};
};

class NpyOpener {
public:
  NpyOpener(InputStream stream, const Model &model, Diagnostics &diagnostics)
      : stream_(std::move(stream)), model_(model), diagnostics_(diagnostics) {}

  std::unique_ptr<CaseSource> run() {
    std::string problem;
    const std::optional<NpyHeader> header = readHeader(problem);
    if (header && problem.empty())
      problem = findShapeProblem(*header);
    if (!problem.empty()) {
      diagnostics_.error({}, "{}: {}", stream_.name(), problem);
      return nullptr;
    }
    const std::vector<ColumnName> names = namesOf(*header);
    const std::optional<CaseHeader> resolved = resolveCaseHeader(names, model_, diagnostics_);
    if (!resolved)
      return nullptr;
    NpyRows rows(*resolved, storedColumns(*header), layout_.byColumns ? 0 : layout_.rowBytes,
                 model_);
    return std::make_unique<ChunkedCases>(
        std::make_unique<NpyReader>(std::move(stream_), layout_, std::move(rows)),
        resolved->paramPlaces);
  }

private:
  /// As far as the header goes; the rows stay in the stream.
  std::optional<NpyHeader> readHeader(std::string &problem) {
    std::string start(kNpyPreludeBytes, '\0');
    start.resize(stream_.read(start.data(), start.size()));
    const std::optional<size_t> bytes = npyHeaderBytes(start, problem);
    if (!bytes)
      return std::nullopt;
    if (*bytes < start.size()) {
      problem = "its header is empty";
      return std::nullopt;
    }
    const size_t known = start.size();
    start.resize(*bytes);
    start.resize(known + stream_.read(start.data() + known, *bytes - known));
    return parseNpyHeader(start, problem);
  }

  std::string findShapeProblem(const NpyHeader &header) {
    const bool isRecords = !header.fields.empty();
    if (header.shape.size() != (isRecords ? 1 : 2))
      return fmt::format("an array of shape ({}): {} needed", header.shapeText(),
                         isRecords ? "one dimension is" : "rows and columns are");
    layout_.rows = header.shape[0];
    layout_.columns = isRecords ? header.fields.size() : header.shape[1];
    if (!isRecords && layout_.columns != model_.variables.size())
      return fmt::format("the array has {} columns, the model has {} variables: a column for each "
                         "is needed, or records whose fields have names",
                         layout_.columns, model_.variables.size());
    layout_.rowBytes = isRecords ? header.itemBytes : layout_.columns * header.itemBytes;
    if (layout_.rowBytes == 0)
      return "its rows hold nothing";
    layout_.dataBegin = header.dataBegin;
    layout_.byColumns = header.fortranOrder && !isRecords && layout_.columns > 1;
    const uint64_t needed = saturatingMul(layout_.rows, layout_.rowBytes);
    if (const uint64_t present = stream_.sizeBytes() - header.dataBegin;
        stream_.sizeBytes() != 0 && present != needed)
      return fmt::format("its shape ({}) needs {} bytes of entries, it has {}", header.shapeText(),
                         needed == UINT64_MAX ? "2^64 or more" : std::to_string(needed), present);
    if (layout_.byColumns && stream_.sizeBytes() == 0)
      return "it stores one column after the other (Fortran order), which is read from a plain "
             "file only: save it with numpy.ascontiguousarray";
    return {};
  }

  std::vector<ColumnName> namesOf(const NpyHeader &header) const {
    std::vector<ColumnName> names;
    for (const NpyField &field : header.fields)
      names.push_back({field.name, {}});
    if (header.fields.empty())
      for (const Variable &variable : model_.variables)
        names.push_back({variable.name, {}});
    return names;
  }

  std::vector<NpyColumn> storedColumns(const NpyHeader &header) const {
    std::vector<NpyColumn> columns;
    for (const NpyField &field : header.fields)
      columns.push_back({field.type, field.offset});
    if (header.fields.empty())
      for (uint64_t c = 0; c < layout_.columns; ++c)
        columns.push_back({header.type, layout_.byColumns ? c : c * header.itemBytes});
    return columns;
  }

  InputStream stream_;
  const Model &model_;
  Diagnostics &diagnostics_;
  NpyLayout layout_;
};

} // namespace

std::unique_ptr<CaseSource> openNpyCases(InputStream stream, const Model &model,
                                         Diagnostics &diagnostics) {
  return NpyOpener(std::move(stream), model, diagnostics).run();
}

bool isNpy(std::string_view start) { return start.starts_with("\x93NUMPY"); }

} // namespace mpf
