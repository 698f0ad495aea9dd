// A model file of any known format (model_formats.h), and the files that it names -> Model.
#pragma once

#include "dsl/formats/model_files.h"
#include "dsl/formats/model_formats.h"
#include "dsl/model/model.h"
#include "dsl/model/resolve/build_options.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string>

namespace mpf {

/// Reads `text`. The ending of its name determines the format; .gz, .xz or .zst may follow that
/// ending. The start of the text determines the format of the standard input; the default is .mpf.
/// `options.build.files` reads the files that the text names. Returns nothing when an error was
/// reported: a byte 0 is one in all formats. Throws Error(Usage) for an unknown ending, and for
/// overrides when the format has no params.
std::optional<Model>
readModelFile(std::shared_ptr<const SourceBuffer> text, Diagnostics &diagnostics,
              const ModelReadOptions &options = {.build = {.files = filesOnDisk()}});

/// The same for a text of a known format, whatever its name.
std::optional<Model> readModelAs(const ModelFormat &format,
                                 std::shared_ptr<const SourceBuffer> text, Diagnostics &diagnostics,
                                 const ModelReadOptions &options);

/// Whether `path` has the ending of a .mpf source, compressed or not, or is the standard input.
bool mayBeMpf(const std::string &path);

/// The path of the evidence file beside a model file: NAME.uai.evid, as the UAI competitions call
/// it, or else NAME.evid, as collections of their instances do. Nothing if neither exists, or if
/// the format has no evidence files. All programs of mpf use this rule.
std::optional<std::string> evidenceBeside(const std::string &modelPath);

} // namespace mpf
