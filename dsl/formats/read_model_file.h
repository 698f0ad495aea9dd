// A model file of any known kind -> Model: the one place that knows which ending means what.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace mpf {

/// For the standard input, as a path and as a name in messages.
inline constexpr const char *kStdinPath = "-";
inline constexpr const char *kStdinName = "<stdin>";

/// The text of `path`, unpacked; of the standard input. Throws Error(BadInput).
std::shared_ptr<const SourceBuffer> loadText(const std::string &path);

/// Whether `path` holds a .mpf source, as far as its name tells: compressed or not, or from the
/// standard input.
bool mayBeMpf(const std::string &path);

/// For messages about other endings.
inline constexpr const char *kModelEndings = ".mpf, .uai, .bif, compressed (.gz, .xz, .zst) or not";

/// Reads `text` as what the ending of its name says: .mpf (and the files that it names), .uai or
/// .bif, behind which .gz, .xz or .zst may stand; from the standard input it is .uai or .bif if it
/// starts as such a file does. `params` are overrides for a .mpf model. Nothing when an error was
/// reported. Throws Error(Usage) for other endings and for params of other models.
std::optional<Model> readModelFile(std::shared_ptr<const SourceBuffer> text,
                                   Diagnostics &diagnostics,
                                   const std::map<std::string, double> &params = {});

/// The evidence file that lies beside a .uai model (MODEL.uai.evid), if there is one.
std::optional<std::string> evidenceBeside(const std::string &modelPath);

} // namespace mpf
