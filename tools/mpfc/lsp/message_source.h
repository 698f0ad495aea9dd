// Reads messages from a pipe: each is a header, `Content-Length: N`, an empty line and N bytes of
// JSON (LSP 3.17, "Base Protocol").
#pragma once

#include "tools/mpfc/lsp/message.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>

namespace mpf::lsp {

/// The messages of one client, in their order. Up to 16 MiB that have come are read before a
/// message is handed out, so $/cancelRequest reaches a request that still waits. Memory: at most
/// kMaxBytes for messages that wait, and one message. Not thread-safe.
class MessageSource {
public:
  static constexpr size_t kMaxBytes = size_t{64} << 20; ///< of one message, and of those that wait

  /// `in`: a file descriptor, which stays the caller's.
  explicit MessageSource(int in) : in_(in) {}

  /// Returns the next message. Nothing: none has come, or with `wait` the input has ended. A text
  /// that is no message comes as one with a fault, and reading goes on behind it.
  std::optional<Message> next(bool wait);

private:
  bool hasInput(bool wait) const;
  void readSome();
  void cutMessages();
  bool cutMessage();
  bool cutHeader();
  void refuse(std::string problem);
  void add(Message message, size_t bytes);

  struct Waiting {
    Message message;
    size_t bytes = 0;
  };
  int in_;
  bool isEnded_ = false;
  std::string input_;            ///< what has come and is not cut yet
  size_t start_ = 0;             ///< of the next message in `input_`
  uint64_t skip_ = 0;            ///< bytes of a refused message that are still to come
  std::optional<size_t> length_; ///< of the message whose header was cut
  bool isLost_ = false;          ///< a broken header was reported, and none has followed
  std::deque<Waiting> waiting_;
  std::unordered_map<std::string, bool> waitingIds_; ///< whether a request is cancelled
  size_t waitingBytes_ = 0;
};

} // namespace mpf::lsp
