#include "dsl/formats/read_model_file.h"

#include "dsl/formats/load_text.h"
#include "dsl/formats/model_formats.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/lower_case.h"

#include <algorithm>
#include <filesystem>
#include <fmt/ranges.h>
#include <utility>

namespace mpf {

namespace {

[[noreturn]] void refuseEnding(const SourceBuffer &text) {
  const ModelFormat *format = modelFormatByStart(text.text());
  const std::string path = withoutCompressionSuffix(text.name());
  std::string hint;
  if (format != nullptr)
    hint = fmt::format("; it starts as a {} file does: rename it, or give it as the standard input",
                       format->endings[0]);
  else if (hasEnding(path, ".csv") || hasEnding(path, ".npy"))
    hint = "; a list of cases goes with a model: mpfc run MODEL --cases " + text.name();
  else
    hint = fmt::format("; if it is a model in the words of mpf, name it {}, or give it as the "
                       "standard input",
                       std::filesystem::path(path).replace_extension(".mpf").string());
  fail(ErrorKind::Usage,
       "{}: cannot tell by its name what this file holds; known are {}, compressed ({}) or not{}",
       text.name(), modelEndings(), fmt::join(kCompressionEndings, ", "), hint);
}

/// Reports a byte 0; false: the text has none. The lexer of .mpf reports every such byte itself.
bool reportZeroByte(const std::shared_ptr<const SourceBuffer> &text, Diagnostics &diagnostics) {
  const size_t zero = text->text().find('\0');
  if (zero == std::string_view::npos)
    return false;
  const auto at = static_cast<uint32_t>(zero);
  diagnostics.error({text, {at, at + 1}}, "this byte is 0: the file is no text");
  return true;
}

const ModelFormat &formatOf(const SourceBuffer &text) {
  if (const ModelFormat *format = modelFormatOf(text.name(), text.text()))
    return *format;
  if (text.name() != kStdinName)
    refuseEnding(text);
  return defaultModelFormat();
}

} // namespace

std::optional<Model> readModelFile(std::shared_ptr<const SourceBuffer> text,
                                   Diagnostics &diagnostics, const ModelReadOptions &options) {
  const ModelFormat &format = formatOf(*text);
  return readModelAs(format, std::move(text), diagnostics, options);
}

std::optional<Model> readModelAs(const ModelFormat &format,
                                 std::shared_ptr<const SourceBuffer> text, Diagnostics &diagnostics,
                                 const ModelReadOptions &options) {
  const ParamSettings &params = options.build.params;
  if (!params.values.empty() && !format.hasParams)
    fail(
        ErrorKind::Usage,
        "-D {}: only {} models have params; mpfc import writes this one as .mpf, where a param can "
        "stand for a number",
        params.values.begin()->first,
        modelEndings(" and ", [](const ModelFormat &row) { return row.hasParams; }));
  if (options.channel && std::ranges::count(format.readOptions, kChannelOption) == 0)
    fail(ErrorKind::Usage, "{} is for .alist files: a model that imports one observes the bits",
         kChannelOption);
  if (reportOtherFormat(format, text, diagnostics) ||
      (&format != &defaultModelFormat() && reportZeroByte(text, diagnostics)))
    return std::nullopt;
  return format.read(std::move(text), diagnostics, options);
}

bool mayBeMpf(const std::string &path) {
  return path == kStdinPath ||
         std::ranges::count(modelFormatsByEnding(path), &defaultModelFormat()) != 0;
}

std::optional<std::string> evidenceBeside(const std::string &modelPath) {
  const std::filesystem::path model = withoutCompressionSuffix(modelPath);
  for (const ModelFormat *format : modelFormatsByEnding(modelPath)) {
    if (format->evidenceEnding.empty())
      continue;
    for (const std::string &stem :
         {model.string(), (model.parent_path() / model.stem()).string()}) {
      const std::string beside = fmt::format("{}{}", stem, format->evidenceEnding);
      std::error_code ignored; // an unreadable folder is no evidence
      if (std::filesystem::is_regular_file(beside, ignored))
        return beside;
    }
  }
  return std::nullopt;
}

} // namespace mpf
