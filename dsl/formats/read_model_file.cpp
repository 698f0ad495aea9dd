#include "dsl/formats/read_model_file.h"

#include "dsl/formats/model_files.h"
#include "dsl/formats/uai_reader.h"
#include "dsl/model/build_model.h"
#include "dsl/support/error.h"
#include "dsl/support/file_input.h"

#include <filesystem>

namespace mpf {

std::shared_ptr<const SourceBuffer> loadText(const std::string &path) {
  static_assert(kMaxTextFileBytes < UINT32_MAX, "a SourceBuffer has 32-bit offsets");
  return std::make_shared<const SourceBuffer>(path, readFile(path));
}

std::optional<Model> readModelFile(std::shared_ptr<const SourceBuffer> text,
                                   Diagnostics &diagnostics,
                                   const std::map<std::string, double> &params) {
  const std::string path = text->name();
  const std::string plainPath = withoutCompressionSuffix(path);
  if (plainPath.ends_with(".mpf")) {
    BuildOptions build;
    build.params = params;
    build.files = filesOnDisk();
    return readMpf(std::move(text), diagnostics, build);
  }
  if (!plainPath.ends_with(".uai"))
    fail(ErrorKind::Usage, "{}: cannot tell by its name what this file holds; known are {}", path,
         kModelEndings);
  if (!params.empty())
    fail(ErrorKind::Usage, "-D {}: only .mpf models have params", params.begin()->first);
  std::optional<Model> model = readUai(std::move(text), diagnostics);
  if (model)
    model->name = modelNameFor(path);
  return model;
}

std::optional<std::string> evidenceBeside(const std::string &modelPath) {
  const std::string plainPath = withoutCompressionSuffix(modelPath);
  std::error_code ignored; // an unreadable folder is no evidence
  const std::string beside = plainPath + ".evid";
  if (!plainPath.ends_with(".uai") || !std::filesystem::is_regular_file(beside, ignored))
    return std::nullopt;
  return beside;
}

} // namespace mpf
