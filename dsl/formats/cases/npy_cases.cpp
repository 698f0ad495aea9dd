#include "dsl/formats/cases/npy_cases.h"

#include "dsl/formats/cases/chunked_cases.h"
#include "dsl/formats/cases/npy_readers.h"
#include "dsl/formats/cases/placed_cases.h"
#include "dsl/support/counts.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

namespace {

class NpyOpener {
public:
  NpyOpener(InputStream stream, const Model &model, const ColumnChoice &choice,
            Diagnostics &diagnostics)
      : stream_(std::move(stream)), model_(model), choice_(choice), diagnostics_(diagnostics) {}

  std::unique_ptr<CaseSource> run() {
    std::string problem;
    const std::optional<NpyHeader> header = readHeader(problem);
    if (header && problem.empty())
      problem = findShapeProblem(*header);
    if (!problem.empty()) {
      diagnostics_.error({}, "{}: {}", stream_.name(), problem);
      return nullptr;
    }
    if (choice_.keepsAll || !choice_.kept.empty()) {
      diagnostics_.error({},
                         "{}: a .npy list holds numbers: only cells of a CSV are text that can "
                         "be kept",
                         stream_.name());
      return nullptr;
    }
    const std::vector<ColumnName> names = namesOf(*header);
    const std::optional<CaseHeader> resolved =
        resolveCaseHeader(names, model_, choice_, diagnostics_);
    if (!resolved)
      return nullptr;
    NpyRows rows(*resolved, storedColumns(*header), layout_.byColumns ? 0 : layout_.rowBytes,
                 model_);
    if (stream_.sizeBytes() != 0)
      return std::make_unique<PlacedCases>(
          npyFileReader(std::move(stream_), layout_, std::move(rows)), resolved->paramPlaces);
    return std::make_unique<ChunkedCases>(
        npyStreamReader(std::move(stream_), layout_, std::move(rows)), resolved->paramPlaces);
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
  const ColumnChoice &choice_;
  Diagnostics &diagnostics_;
  NpyLayout layout_;
};

} // namespace

std::unique_ptr<CaseSource> openNpyCases(InputStream stream, const Model &model,
                                         Diagnostics &diagnostics, const ColumnChoice &choice) {
  return NpyOpener(std::move(stream), model, choice, diagnostics).run();
}

bool isNpy(std::string_view start) { return start.starts_with("\x93NUMPY"); }

} // namespace mpf
