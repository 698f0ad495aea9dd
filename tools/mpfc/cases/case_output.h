// The file or stdout that receives the rows of answers. A single result is whole or not there, but
// the first part of a list of answers is useful. Whatever ends a run, the file is completed with
// whole rows.
#pragma once

#include "dsl/support/files/output_file.h"
#include "tools/mpfc/cases/row_format.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace mpf::driver {

class CaseOutput {
public:
  /// `path` is the value of -o: empty or "-" is stdout. `format` must outlive the object. Throws
  /// Error(BadInput) if the file cannot be made, or cannot be completed later as the format needs.
  CaseOutput(const std::string &path, const RowFormat &format);

  bool isStdout() const { return !file_; }
  /// Writes whole rows. One thread at a time may call it. Throws Error(BadInput) if writing fails.
  void append(const std::string &text, uint64_t rows);
  /// Completes the file and moves it into place. Later calls, and calls of append, have no effect.
  /// Any thread may call it, while another one appends. If the reader of stdout, or of a pipe, has
  /// stopped reading, it gives up after two seconds. Throws Error(BadInput).
  void finish();
  uint64_t rows() const; ///< number of rows written so far
  /// Returns "1000 rows are in answers.csv", for messages.
  std::string summary() const;

private:
  void write(const std::string &text);

  const std::string path_;
  const RowFormat &format_;
  std::optional<OutputFile> file_; ///< none: stdout
  mutable std::timed_mutex mutex_;
  std::atomic<uint64_t> rows_ = 0;
  bool isFinished_ = false;
};

} // namespace mpf::driver
