#include "tools/mpfc/cases/case_output.h"

#include "dsl/support/check.h"
#include "tools/mpfc/process/write_stdout.h"

#include <chrono>

namespace mpf::driver {

namespace {
constexpr std::chrono::seconds kReaderPatience{2};
} // namespace

CaseOutput::CaseOutput(const std::string &path, const RowFormat &format)
    : path_(path), format_(format) {
  if (!path.empty() && path != "-")
    file_.emplace(path);
  if (format.headCountsRows() && (!file_ || file_->isDirect()))
    fail(
        ErrorKind::BadInput,
        "{}: the number of rows, which is known at the end, stands at the start of a .npy file: it "
        "cannot be written to {}",
        file_ ? path : "stdout", file_ ? "a pipe or a device" : "stdout");
  write(format.head(0));
}

void CaseOutput::write(const std::string &text) {
  if (file_)
    file_->append(text);
  else
    writeToStdout(text);
}

void CaseOutput::append(const std::string &text, uint64_t rows) {
  const std::lock_guard lock(mutex_);
  if (isFinished_)
    return;
  write(text);
  rows_ += rows;
}

void CaseOutput::finish() {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (file_ && !file_->isDirect())
    lock.lock();
  else if (!lock.try_lock_for(kReaderPatience))
    return;
  if (isFinished_)
    return;
  isFinished_ = true;
  if (!file_)
    return;
  if (format_.headCountsRows())
    file_->overwrite(0, format_.head(rows_));
  file_->place();
}

uint64_t CaseOutput::rows() const { return rows_; }

std::string CaseOutput::summary() const {
  const uint64_t count = rows();
  return fmt::format("{} {} {}", count, count == 1 ? "row is" : "rows are",
                     file_ ? "in " + path_ : "written");
}

} // namespace mpf::driver
