#include "dsl/formats/write_model_file.h"

#include "dsl/support/files/file_output.h"

#include <filesystem>
#include <fmt/core.h>

namespace mpf {

bool hasFindings(const Model &model) {
  return !model.evidence.findings.empty() || model.evidence.listed;
}

std::optional<std::string> writeEvidenceBeside(const Model &model, const ModelFormat &format,
                                               const std::string &path) {
  const std::string beside = fmt::format("{}{}", path, format.evidenceEnding);
  std::error_code ignored; // an unreadable folder has no such file
  if (format.writeEvidence == nullptr ||
      !(hasFindings(model) || std::filesystem::is_regular_file(beside, ignored)))
    return std::nullopt;
  writeFile(beside, format.writeEvidence(model));
  return beside;
}

} // namespace mpf
