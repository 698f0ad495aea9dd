#include "dsl/formats/used_formats.h"

#include "dsl/formats/network/format_options.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

bool readsOption(const ModelFormat *format, std::string_view option) {
  return format != nullptr && std::ranges::count(format->readOptions, option) != 0;
}

} // namespace

UsedFormats::UsedFormats(ModelFiles &files)
    : imported_(std::make_shared<std::vector<const ModelFormat *>>()) {
  files.importModel = [seen = imported_, import = std::move(files.importModel)](
                          const std::string &path, Diagnostics &diagnostics) {
    for (const ModelFormat *format : modelFormatsByEnding(path))
      seen->push_back(format);
    return import(path, diagnostics);
  };
}

void UsedFormats::requireUse(const ModelReadOptions &options, const ModelFormat *format,
                             const std::string &name) const {
  for (const std::string_view option : formatOptionsOf(options)) {
    const auto reads = [option](const ModelFormat *row) { return readsOption(row, option); };
    if (reads(format) || std::ranges::any_of(*imported_, reads))
      continue;
    std::string endings;
    for (const ModelFormat &row : modelFormats())
      if (reads(&row))
        endings += (endings.empty() ? "" : " and ") + std::string(row.endings[0]);
    fail(ErrorKind::Usage, "{} is for {} files: {} is none and includes none", option, endings,
         name);
  }
}

} // namespace mpf
