#include "dsl/formats/model_files.h"

#include "dsl/formats/bif_reader.h"
#include "dsl/formats/cases_file.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/formats/table_file.h"
#include "dsl/formats/uai_reader.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"

namespace mpf {

namespace {

/// What includes it is checked as one network.
std::optional<Model> importByEnding(const std::string &path, Diagnostics &diagnostics) {
  const std::string plainPath = withoutCompressionSuffix(path);
  if (plainPath.ends_with(".uai"))
    return readUai(loadText(path), diagnostics, NetworkCheck::ByCaller);
  if (plainPath.ends_with(".bif"))
    return readBif(loadText(path), diagnostics, NetworkCheck::ByCaller);
  fail(ErrorKind::BadInput, "cannot tell by its name what {} holds; known are .mpf, .uai and .bif",
       path);
}

} // namespace

ModelFiles filesOnDisk() {
  ModelFiles files;
  files.readText = [](const std::string &path) { return readFile(path); };
  files.readTable = readTableFile;
  files.readCases = [](const std::string &path, const Model &model, Diagnostics &diagnostics) {
    return readCases(loadText(path), model, diagnostics);
  };
  files.importModel = importByEnding;
  return files;
}

} // namespace mpf
