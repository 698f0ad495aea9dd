#include "tools/mpfc/lsp/documents.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>

namespace mpf::lsp {

namespace {

constexpr std::string_view kFile = "file://";

int hexValue(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

bool staysPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

} // namespace

std::string pathOf(const std::string &uri) {
  if (!uri.starts_with(kFile))
    return uri;
  const size_t begin = std::min(uri.find('/', kFile.size()), uri.size()); // behind a host
  std::string path;
  for (size_t i = begin; i < uri.size(); ++i) {
    const int high = uri[i] == '%' && i + 2 < uri.size() ? hexValue(uri[i + 1]) : -1;
    const int low = high < 0 ? -1 : hexValue(uri[i + 2]);
    path += low < 0 ? uri[i] : static_cast<char>(high * 16 + low);
    i += low < 0 ? 0 : 2;
  }
  return std::filesystem::path(path).lexically_normal().string();
}

std::string uriOf(const std::string &path) {
  std::string uri(kFile);
  for (const char c : path)
    if (staysPlain(c))
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return uri;
}

std::string Documents::open(const std::string &uri, int64_t version, std::string text) {
  size_t bytes = text.size();
  for (const auto &[key, document] : byUri_)
    bytes += key == uri ? 0 : document.text->text().size();
  if (bytes > kMaxBytes)
    return fmt::format("the open texts have {} bytes, the limit is {}", bytes, kMaxBytes);
  std::string path = pathOf(uri);
  if (const Document *other = findPath(path); other != nullptr && other->uri != uri)
    return fmt::format("{} is open as {}", uri, other->uri);
  auto buffer = std::make_shared<const SourceBuffer>(path, std::move(text));
  byUri_.insert_or_assign(uri, Document{uri, std::move(path), version, std::move(buffer)});
  return {};
}

std::string Documents::change(const std::string &uri, int64_t version,
                              const std::vector<TextChange> &changes, PositionUnit unit) {
  std::string text(byUri_.at(uri).text->text());
  std::optional<TextPositions> positions;
  for (const TextChange &change : changes) {
    if (!change.range) {
      text = change.text;
      positions.reset();
      continue;
    }
    if (!positions)
      positions.emplace(text, unit);
    const uint32_t begin = positions->offsetOf(change.range->start);
    const uint32_t end = std::max(begin, positions->offsetOf(change.range->end));
    if (text.size() - (end - begin) + change.text.size() > kMaxBytes)
      return fmt::format("a change makes the text longer than {} bytes, the limit", kMaxBytes);
    text.replace(begin, end - begin, change.text);
    positions->follow(text, {begin, end}, static_cast<uint32_t>(change.text.size()));
  }
  return open(uri, version, std::move(text));
}

void Documents::close(const std::string &uri) { byUri_.erase(uri); }

const Document *Documents::find(const std::string &uri) const {
  const auto found = byUri_.find(uri);
  return found == byUri_.end() ? nullptr : &found->second;
}

const Document *Documents::findPath(const std::string &path) const {
  const auto found = std::ranges::find_if(
      byUri_, [&path](const auto &entry) { return entry.second.path == path; });
  return found == byUri_.end() ? nullptr : &found->second;
}

} // namespace mpf::lsp
