#include "tools/mpfc/options/output_names.h"

#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/lower_case.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace mpf::driver {

namespace {

/// Endings of packed files and archives, beside those that mpf reads.
constexpr std::array<std::string_view, 9> kOtherPackedEndings = {
    ".bz2", ".lz4", ".lzma", ".br", ".z", ".zip", ".7z", ".tgz", ".tar"};

/// Endings of tables, documents and networks of other programs.
constexpr std::array<std::string_view, 28> kOtherFormats = {
    ".xlsx", ".xls",    ".ods",    ".parquet", ".feather", ".arrow", ".h5",
    ".hdf5", ".mat",    ".pkl",    ".rds",     ".sav",     ".csv",   ".tsv",
    ".json", ".jsonl",  ".ndjson", ".yaml",    ".yml",     ".xml",   ".html",
    ".pdf",  ".xmlbif", ".xdsl",   ".dsl",     ".net",     ".bif",   ".dne"};

/// Returns `path` without the endings of packed files.
std::string_view plainName(std::string_view path) {
  const auto ends = [&](std::string_view ending) {
    return path.size() > ending.size() && hasEnding(path, ending);
  };
  for (const std::span<const std::string_view> endings :
       {std::span<const std::string_view>(kCompressionEndings),
        std::span<const std::string_view>(kOtherPackedEndings)})
    if (const auto ending = std::ranges::find_if(endings, ends); ending != endings.end())
      return plainName(path.substr(0, path.size() - ending->size()));
  return path;
}

} // namespace

std::optional<OutputFormat> formatByEnding(std::string_view path) {
  constexpr std::pair<std::string_view, OutputFormat> kEndings[] = {
      {".json", OutputFormat::Json}, {".csv", OutputFormat::Csv}, {".npy", OutputFormat::Npy},
      {".npz", OutputFormat::Npz},   {".sol", OutputFormat::Sol}, {".html", OutputFormat::Html}};
  for (const auto &[ending, format] : kEndings)
    if (hasEnding(path, ending))
      return format;
  return std::nullopt;
}

std::string_view formatName(OutputFormat format) {
  switch (format) {
  case OutputFormat::Text:
    return "text";
  case OutputFormat::Json:
    return "json";
  case OutputFormat::Csv:
    return "csv";
  case OutputFormat::Npy:
    return "npy";
  case OutputFormat::Npz:
    return "npz";
  case OutputFormat::Uai:
    return "uai";
  case OutputFormat::Sol:
    return "sol";
  case OutputFormat::Mc:
    return "mc";
  case OutputFormat::Wmc:
    return "wmc";
  case OutputFormat::Pmc:
    return "pmc";
  case OutputFormat::Pwmc:
    return "pwmc";
  case OutputFormat::Html:
    return "html";
  }
  MPF_UNREACHABLE("format {} has no name", static_cast<int>(format));
}

void chooseOutputFormat(Options &options) {
  if (options.command == "show" && !options.format &&
      formatByEnding(options.output) == OutputFormat::Json)
    options.format = OutputFormat::Json;
  const bool isReport = options.command == "explain";
  if (options.command != "run" && !isReport)
    return;
  if (!options.format) {
    options.format = formatByEnding(options.output);
    const bool isWritten =
        isReport ? options.format == OutputFormat::Json || options.format == OutputFormat::Html
                 : options.format != OutputFormat::Html;
    if (!isWritten)
      options.format.reset(); // check_options.h refuses names of other formats
  }
  const auto moveTo = [&](std::string &file, std::string_view other) {
    if (!file.empty())
      fail(ErrorKind::Usage, "{} and {} exclude each other: each names the file of one format",
           options.output.empty() ? "--format" : "-o", other);
    file = options.output.empty() ? "-" : options.output;
    options.output.clear();
  };
  if (options.format == OutputFormat::Json)
    moveTo(options.json, "--json");
  if (options.format == OutputFormat::Html)
    moveTo(options.html, "--html");
}

bool isArrayName(std::string_view path) {
  return hasEnding(path, ".npy") || hasEnding(path, ".npz");
}

void requirePlainName(std::string_view option, const std::string &path) {
  if (const std::string_view plain = plainName(path); plain != path)
    fail(ErrorKind::Usage,
         "{} {}: what is written is not packed: name {} and pack that, or, without {}, stdout",
         option, path, plain, option);
}

void requireNoOtherFormat(std::string_view option, const std::string &path,
                          std::string_view written) {
  const auto says = [&](std::string_view ending) { return hasEnding(path, ending); };
  if (const auto *const ending = std::ranges::find_if(kOtherFormats, says);
      ending != kOtherFormats.end())
    fail(ErrorKind::Usage, "{} {}: a {} file, which the name says, is not written here: {}", option,
         path, *ending, written);
}

void requireNoArrayName(std::string_view option, const std::string &path, std::string_view why) {
  if (isArrayName(path))
    fail(ErrorKind::Usage, "{} {}: an array, which the name says, holds answers: {}", option, path,
         why);
}

} // namespace mpf::driver
