// JSON (RFC 8259) as events with places. No tree of the text is made.
#pragma once

#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace mpf {

/// The receiver of the events of one text. A function that returns false ends reading, after it has
/// reported why. Not thread-safe; the sink must outlive the object.
class JsonEvents {
public:
  JsonEvents(std::shared_ptr<const SourceBuffer> text, Diagnostics &diagnostics)
      : text_(std::move(text)), diagnostics_(diagnostics), begin_(text_->text().data()),
        before_(begin_), at_(begin_) {}
  virtual ~JsonEvents() = default;

  virtual bool null() = 0;
  virtual bool truth(bool value) = 0;
  virtual bool integer(int64_t value) = 0;
  virtual bool natural(uint64_t value) = 0;
  virtual bool real(const std::string &text) = 0; ///< a number as it stands in the text
  virtual bool string(std::string &value) = 0;
  virtual bool startObject() = 0;
  virtual bool key(std::string &name) = 0;
  virtual bool endObject() = 0;
  virtual bool startArray() = 0;
  virtual bool endArray() = 0;

  /// Sends the events of the text, behind a byte order mark. False: one was refused, or the text is
  /// no JSON, or has a number beyond doubles, which is reported.
  bool read();

protected:
  const std::shared_ptr<const SourceBuffer> &text() const { return text_; }
  /// The token of the event.
  SourceRange here() const;
  /// Reports an error at here(); always false.
  bool refuse(const std::string &message) {
    diagnostics_.error({text_, here()}, "{}", message);
    return false;
  }

private:
  class Parser;

  std::shared_ptr<const SourceBuffer> text_;
  Diagnostics &diagnostics_;
  const char *begin_;
  const char *before_; ///< at_ of the event before
  const char *at_;     ///< behind the token that was read last, or behind the next character
};

} // namespace mpf
