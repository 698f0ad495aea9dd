// Any bytes as what an editor says to `mpfc lsp`. Each line is one message behind an `initialize`;
// bytes that begin with "Content-" are the whole input. The server ends, and what it sends is JSON.
#include "dsl/support/check.h"
#include "dsl/support/files/write_all.h"
#include "tools/mpfc/lsp/server.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace {

std::string framed(std::string_view message) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

std::string inputOf(std::string_view bytes) {
  if (bytes.starts_with("Content-"))
    return std::string(bytes);
  std::string input = framed(R"({"id":0,"method":"initialize","params":{"capabilities":{}}})");
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    input += framed(line);
  }
  return input;
}

/// Whether the text is a message of the protocol.
void checkMessage(std::string_view text) {
  const size_t header = text.find("\r\n\r\n");
  MPF_CHECK(text.starts_with("Content-Length: ") && header != std::string_view::npos, "{}", text);
  const auto json = nlohmann::json::parse(text.substr(header + 4));
  MPF_CHECK(json.at("jsonrpc") == "2.0", "{}", text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const int file = ::memfd_create("input", 0);
  MPF_CHECK(file >= 0, "no file in memory");
  const std::string input = inputOf({reinterpret_cast<const char *>(data), size});
  MPF_CHECK(mpf::writeAll(file, input) == 0 && ::lseek(file, 0, SEEK_SET) == 0, "not written");
  const int code = mpf::lsp::serve(file, checkMessage);
  MPF_CHECK(code == 0 || code == 1, "exit code {}", code);
  ::close(file);
  return 0;
}
