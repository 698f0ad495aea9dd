// The formats of model files, as a table with one row for each. No other code knows the endings and
// first words of formats. A new format needs a reader and a row.
#pragma once

#include "dsl/formats/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mpf {

struct ModelFormat {
  std::string_view name; ///< for messages
  /// The endings of such files, with the dot, in lower case; the first one is the default. Unused
  /// places are empty.
  std::array<std::string_view, 3> endings;
  /// Whether a text starts like a file of this format; the first character is no blank. Null for
  /// the default format, which is used when no other format recognises the text.
  bool (*recognises)(std::string_view text);
  /// Reads a whole text. Returns nothing when an error was reported.
  std::optional<Model> (*read)(std::shared_ptr<const SourceBuffer> text, Diagnostics &diagnostics,
                               const ModelReadOptions &options);
  /// Bytes of memory that reading takes at most beside the text, as measured: for each word of the
  /// text, in spite of the name (requireMemoryToParse in growth_guard.h).
  uint64_t readBytesPerByte;
  bool hasParams = false;      ///< models have params, which -D sets
  bool hasTableOrders = false; ///< ModelReadOptions::uaiTables gives the order of tables

  /// Returns the text of a whole file. Throws Error(Unsupported) for a model that the format cannot
  /// hold. Null: files of this format are only read.
  std::string (*write)(const Model &model) = nullptr;
  std::string_view lost = {}; ///< a sentence on what `write` leaves out; empty: nothing
  /// The ending of the evidence file: it is appended to the name of the model file without its
  /// compression ending. That file is read if it exists, and `writeEvidence` makes its text if the
  /// model has evidence. Empty: the format has no evidence files.
  std::string_view evidenceEnding = {};
  std::string (*writeEvidence)(const Model &model) = nullptr;
};

/// All formats, in the order in which messages list them; the default format is the first.
std::span<const ModelFormat> modelFormats();
/// The format of a text that no other format recognises: .mpf.
const ModelFormat &defaultModelFormat();
/// The format with the ending of `path`, apart from a compression ending. Null: no format has it.
const ModelFormat *modelFormatByEnding(const std::string &path);
/// The format that recognises the start of `text`. Null: no format does.
const ModelFormat *modelFormatByStart(std::string_view text);

/// The endings for a message: ".mpf, .uai, .bif". If `isListed` is given, only endings of formats
/// for which it returns true. `last` replaces the last ", ".
std::string modelEndings(std::string_view last = ", ",
                         bool (*isListed)(const ModelFormat &format) = nullptr);

} // namespace mpf
