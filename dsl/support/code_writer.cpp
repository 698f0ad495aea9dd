#include "dsl/support/code_writer.h"

#include "dsl/support/check.h"

namespace mpf {

void CodeWriter::text(std::string_view line) {
  if (!line.empty())
    out_.append(2 * depth_, ' ').append(line);
  out_ += '\n';
}

void CodeWriter::directive(std::string_view line) { out_.append(line) += '\n'; }

void CodeWriter::open(std::string_view header) {
  text(header.empty() ? "{" : fmt::format("{} {{", header));
  ++depth_;
}

void CodeWriter::close() {
  MPF_CHECK(depth_ > 0, "close() without open() after {} characters of text", out_.size());
  --depth_;
  text("}");
}

std::string CodeWriter::finish() {
  MPF_CHECK(depth_ == 0, "{} blocks are still open at the end of the text", depth_);
  return std::move(out_);
}

} // namespace mpf
