#include "tools/mpfc/refusals.h"

#include "dsl/source/text_error.h"
#include "tools/mpfc/output.h"

namespace mpf::driver {

void sayError(const Error &error) {
  const bool saysWhere = dynamic_cast<const TextError *>(&error) != nullptr;
  say("{}{}\n", saysWhere ? "" : "mpfc: error: ", error.what());
}

void Refusals::add(std::string query, const Error &error) {
  sayError(error);
  refusals_.push_back({std::move(query), error.what(), mpf::exitCode(error.kind())});
}

void Refusals::addAndGoOn(std::string query, const Error &error) {
  const std::string note =
      queries_ > 1 ? fmt::format("mpfc: note: query {} is refused, the others go on\n", query) : "";
  add(std::move(query), error);
  say("{}", note);
}

bool Refusals::concernsOneQuery(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::BadInput:
  case ErrorKind::Usage:
  case ErrorKind::MemoryBound:
  case ErrorKind::Overflow:
  case ErrorKind::Unsupported:
    return true;
  case ErrorKind::TimeLimit:
  case ErrorKind::Device:
  case ErrorKind::Verification:
  case ErrorKind::Internal:
    break;
  }
  return false;
}

} // namespace mpf::driver
