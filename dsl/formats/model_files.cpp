#include "dsl/formats/model_files.h"

#include "dsl/formats/cases/open_cases.h"
#include "dsl/formats/load_text.h"
#include "dsl/formats/model_formats.h"
#include "dsl/formats/tables/array_files.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"

namespace mpf {

namespace {

std::optional<Model> importByEnding(const std::string &path, Diagnostics &diagnostics,
                                    const ModelReadOptions &options) {
  if (modelFormatsByEnding(path).empty())
    fail(ErrorKind::BadInput, "cannot tell by its name what {} holds; known are {}", path,
         modelEndings(" and "));
  std::shared_ptr<const SourceBuffer> text = loadText(path);
  const ModelFormat *format = modelFormatOf(path, text->text());
  if (reportOtherFormat(*format, text, diagnostics))
    return std::nullopt;
  return format->read(std::move(text), diagnostics, options);
}

} // namespace

ModelFiles filesOnDisk(const ColumnChoice &columns, ModelReadOptions networks) {
  networks.check = NetworkCheck::ByCaller;
  ModelFiles files;
  files.readText = [](const std::string &path) { return readTextFile(path); };
  files.openArrays = openArrayFiles;
  files.openCases = [columns](const std::string &path, const Model &model,
                              Diagnostics &diagnostics) {
    return openCases(path, model, diagnostics, columns);
  };
  files.importModel = [networks = std::move(networks)](const std::string &path,
                                                       Diagnostics &diagnostics) {
    return importByEnding(path, diagnostics, networks);
  };
  return files;
}

} // namespace mpf
