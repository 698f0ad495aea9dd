// Writes the files of a model beside its own.
#pragma once

#include "dsl/formats/model_formats.h"
#include "dsl/model/model.h"

#include <optional>
#include <string>

namespace mpf {

/// Writes the evidence of a model whose file is `path` to a file beside it, if the format has no
/// place for it. A file that is there already is written without evidence if the model has none.
/// Returns the path of what was written; nothing: no file was. Throws as writeFile.
std::optional<std::string> writeEvidenceBeside(const Model &model, const ModelFormat &format,
                                               const std::string &path);

/// Whether the model has evidence that such a file holds.
bool hasFindings(const Model &model);

} // namespace mpf
