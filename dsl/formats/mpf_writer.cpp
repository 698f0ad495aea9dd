#include "dsl/formats/mpf_writer.h"

#include "dsl/model/print/print_mpf.h"
#include "dsl/support/files/file_input.h"
#include "dsl/syntax/format_source.h"

namespace mpf {

std::string writeMpf(const Model &model) {
  std::string text = printMpf(model);
  if (text.size() <= kMaxTextFileBytes) {
    Diagnostics unheard;
    const auto source = std::make_shared<const SourceBuffer>("<imported>", std::move(text));
    std::optional<std::string> formatted = formatSource(source, unheard);
    text = formatted ? std::move(*formatted) : std::string(source->text());
  }
  return text;
}

} // namespace mpf
