// The formats of model files, as a table with one row for each. No other code knows the endings and
// first words of formats. A new format needs a reader and a row; messages, `mpfc help formats` and
// the table of dsl/formats/FORMATS.md follow from the row.
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/formats/network/written_model.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct ModelFormat {
  std::string_view name; ///< for messages
  /// The endings of such files, with the dot, in lower case; the first one is the default and
  /// belongs to this format alone. Other formats may share the rest: `recognises` decides then.
  /// Unused places are empty.
  std::array<std::string_view, 6> endings;
  /// Whether a text starts like a file of this format; the first character is no blank. Null for
  /// the default format, which is used when no other format recognises the text.
  bool (*recognises)(std::string_view text);
  /// Reads a whole text. Returns nothing when an error was reported. A reader that needs a second
  /// file reads it by options.build.files.
  std::optional<Model> (*read)(std::shared_ptr<const SourceBuffer> text, Diagnostics &diagnostics,
                               const ModelReadOptions &options);
  /// Bytes of memory that reading takes at most beside the text, as measured: for each word of the
  /// text, in spite of the name (requireMemoryToParse in growth_guard.h).
  uint64_t readBytesPerByte;
  bool hasParams = false; ///< models have params, which -D sets
  /// Variables are called by numbers that need not be their places.
  bool hasNumbersForNames = false;
  bool hasTables = true; ///< files hold any tables; else clauses or costs alone
  /// Options that this reader uses (network/format_options.h); unused places are empty.
  std::array<std::string_view, 5> readOptions = {};

  /// Returns the text of a whole file. Throws Error(Unsupported) for a model that the format cannot
  /// hold. Null: files of this format are only read.
  WrittenModel (*write)(const Model &model) = nullptr;
  /// The ending of the evidence file: it is appended to the name of the model file without its
  /// compression ending. That file is read if it exists, and `writeEvidence` makes its text if the
  /// model has evidence. Empty: the format has no evidence files.
  std::string_view evidenceEnding = {};
  std::string (*writeEvidence)(const Model &model) = nullptr;

  /// Cells of dsl/formats/FORMATS.md: what a file holds, what reading or writing one loses,
  /// and the programs whose files were tried, with their versions.
  std::string_view holds = {}, loses = {}, tried = {};
};

/// All formats, in the order in which messages list them; the default format is the first.
std::span<const ModelFormat> modelFormats();
/// The format of a text that no other format recognises: .mpf.
const ModelFormat &defaultModelFormat();
/// The formats with the ending of `path`, apart from a compression ending, in the table's order.
std::vector<const ModelFormat *> modelFormatsByEnding(const std::string &path);
/// The first format with the ending of `path` that can be written. Null: there is none.
const ModelFormat *writtenFormatByEnding(const std::string &path);
/// The format that recognises the start of `text`. Null: no format does.
const ModelFormat *modelFormatByStart(std::string_view text);
/// The format of the text of the file `path`; kStdinName (load_text.h): that which recognises the
/// text. Formats that share its ending are told apart by the
/// start of the text; the first of them is returned if none recognises it. Null: no format has the
/// ending.
const ModelFormat *modelFormatOf(const std::string &path, std::string_view text);

/// Reports a text that starts like a file of another format than `format`, which its name says;
/// false: it does not.
bool reportOtherFormat(const ModelFormat &format, const std::shared_ptr<const SourceBuffer> &text,
                       Diagnostics &diagnostics);

/// The endings for a message: ".mpf, .uai, .bif". If `isListed` is given, only endings of formats
/// for which it returns true. `last` replaces the last ", ".
std::string modelEndings(std::string_view last = ", ",
                         bool (*isListed)(const ModelFormat &format) = nullptr);

} // namespace mpf
