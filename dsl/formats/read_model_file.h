// A model file of any known format (model_formats.h), and the files that it names -> Model.
#pragma once

#include "dsl/formats/model_files.h"
#include "dsl/model/model.h"
#include "dsl/model/resolve/build_options.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string>

namespace mpf {

/// Reads `text`. The ending of its name tells the format; .gz, .xz or .zst may follow that ending.
/// For the standard input the start of the text tells it, and .mpf is the default. Nothing
/// when an error was reported. Throws Error(Usage) for an unknown ending, and for overrides when
/// the format has no params. `files` reads those that the text names.
std::optional<Model> readModelFile(std::shared_ptr<const SourceBuffer> text,
                                   Diagnostics &diagnostics, const ParamSettings &params = {},
                                   ModelFiles files = filesOnDisk());

/// Whether `path` is called as a .mpf source, compressed or not, or is the standard input.
bool mayBeMpf(const std::string &path);

/// The path of the evidence file beside a model file (MODEL.uai.evid). Nothing if that file does
/// not exist, or if the format has no evidence files.
std::optional<std::string> evidenceBeside(const std::string &modelPath);
/// A file that looks like it and is not taken: "net.evid" beside "net.uai", as some collections
/// have it. None where evidenceBeside finds the right one.
std::optional<std::string> evidenceMissed(const std::string &modelPath);

} // namespace mpf
