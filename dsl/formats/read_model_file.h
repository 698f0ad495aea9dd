// A model file of any known format (model_formats.h) -> Model, with the files that it names.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace mpf {

/// Reads `text` as what the ending of its name says, behind which .gz, .xz or .zst may stand; from
/// the standard input as what it starts like, else as .mpf. `params` are overrides for a model that
/// has params. Nothing when an error was reported. Throws Error(Usage) for other endings and for
/// params of other models.
std::optional<Model> readModelFile(std::shared_ptr<const SourceBuffer> text,
                                   Diagnostics &diagnostics,
                                   const std::map<std::string, double> &params = {});

/// Whether `path` holds a .mpf source, as far as its name tells: compressed or not, or from the
/// standard input.
bool mayBeMpf(const std::string &path);

/// The evidence file that lies beside a model of a format that has such files (MODEL.uai.evid), if
/// there is one.
std::optional<std::string> evidenceBeside(const std::string &modelPath);

} // namespace mpf
