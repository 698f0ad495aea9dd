#include "dsl/formats/read_model_file.h"

#include "dsl/formats/bif_reader.h"
#include "dsl/formats/model_files.h"
#include "dsl/formats/uai_reader.h"
#include "dsl/model/build/build_model.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/system/growth_guard.h"

#include <filesystem>

namespace mpf {

std::shared_ptr<const SourceBuffer> loadText(const std::string &path) {
  static_assert(kMaxTextFileBytes < UINT32_MAX, "a SourceBuffer has 32-bit offsets");
  const bool isStdin = path == kStdinPath;
  std::string text = isStdin ? readStdin() : readFile(path);
  // Measured: a number of a .mpf is a node of its tree first; others' go straight into tables.
  requireMemoryToParse(path, text, mayBeMpf(path) ? 48 : 12);
  return std::make_shared<const SourceBuffer>(isStdin ? kStdinName : path, std::move(text));
}

bool mayBeMpf(const std::string &path) {
  return path == kStdinPath || withoutCompressionSuffix(path).ends_with(".mpf");
}

namespace {

/// No .mpf source starts as the other formats do.
std::string_view endingByStart(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  text.remove_prefix(start == std::string_view::npos ? text.size() : start);
  if (text.starts_with("MARKOV") || text.starts_with("BAYES"))
    return ".uai";
  return text.starts_with("network") || text.starts_with("/") ? ".bif" : ".mpf";
}

} // namespace

std::optional<Model> readModelFile(std::shared_ptr<const SourceBuffer> text,
                                   Diagnostics &diagnostics,
                                   const std::map<std::string, double> &params) {
  const std::string path = text->name();
  std::string plainPath = withoutCompressionSuffix(path);
  if (path == kStdinName)
    plainPath = endingByStart(text->text());
  if (plainPath.ends_with(".mpf")) {
    BuildOptions build;
    build.params = params;
    build.files = filesOnDisk();
    return readMpf(std::move(text), diagnostics, build);
  }
  const bool isBif = plainPath.ends_with(".bif");
  if (!isBif && !plainPath.ends_with(".uai"))
    fail(ErrorKind::Usage, "{}: cannot tell by its name what this file holds; known are {}", path,
         kModelEndings);
  if (!params.empty())
    fail(ErrorKind::Usage, "-D {}: only .mpf models have params", params.begin()->first);
  if (isBif)
    return readBif(std::move(text), diagnostics);
  return readUai(std::move(text), diagnostics);
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
