// The formats of model files: one row for each, and the one place that knows which ending, or which
// first words, mean what. A new format is a reader and a row.
#pragma once

#include "dsl/model/build/check_network.h"
#include "dsl/model/model.h"
#include "dsl/model/resolve/build_options.h"
#include "dsl/source/diagnostic.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mpf {

struct ModelReadOptions {
  BuildOptions build = {}; ///< for formats that have params or name other files
  NetworkCheck check = NetworkCheck::Here;
};

struct ModelFormat {
  std::string_view name; ///< for people
  /// With the dot, in lower case; the first one is what such files are called by default. Unused
  /// ones are empty.
  std::array<std::string_view, 3> endings;
  /// Whether a text, from its first character that is no blank, starts as such a file does. Null
  /// for the one format that is taken where no other recognises the text.
  bool (*recognises)(std::string_view text);
  /// Nothing when an error was reported.
  std::optional<Model> (*read)(std::shared_ptr<const SourceBuffer> text, Diagnostics &diagnostics,
                               const ModelReadOptions &options);
  /// Memory that reading takes at most, per byte of text; measured.
  uint64_t readBytesPerByte;
  bool hasParams = false; ///< -D applies

  /// The text of a whole file; null: such files are only read. Throws Error(Unsupported) for a
  /// model that has no such form.
  std::string (*write)(const Model &model) = nullptr;
  std::string_view lost = {}; ///< what `write` leaves out, as a sentence; empty: nothing
  /// Behind the name of a model file, plain: a file of evidence, which is read if it is there and
  /// written (by `writeEvidence`) if there is any. Empty: evidence is in the file itself, or
  /// nowhere.
  std::string_view evidenceEnding = {};
  std::string (*writeEvidence)(const Model &model) = nullptr;
};

/// In the order in which messages list them, the default format first.
std::span<const ModelFormat> modelFormats();
/// What a text is that no format recognises: .mpf.
const ModelFormat &defaultModelFormat();
/// By the ending of a path, packed or not; null: none.
const ModelFormat *modelFormatByEnding(const std::string &path);
/// By how the text starts; null: none but the default one is left.
const ModelFormat *modelFormatByStart(std::string_view text);

/// ".mpf, .uai, .bif", for messages: of all rows, or of those for which `isListed`. `last` stands
/// before the last one.
std::string modelEndings(std::string_view last = ", ",
                         bool (*isListed)(const ModelFormat &format) = nullptr);

} // namespace mpf
