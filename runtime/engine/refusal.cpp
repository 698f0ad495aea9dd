#include "runtime/engine/refusal.h"

#include <new>

namespace mpf {

bool isRefusal(const Error &error) {
  return error.kind() == ErrorKind::MemoryBound || error.kind() == ErrorKind::Unsupported;
}

bool isAboutMemory(const std::exception_ptr &refusal) {
  try {
    std::rethrow_exception(refusal);
  } catch (const Error &error) {
    return error.kind() == ErrorKind::MemoryBound;
  } catch (const std::bad_alloc &) {
    return true;
  }
}

std::exception_ptr refusalOf(const std::function<void()> &call, bool mayLackMemory) {
  try {
    call();
    return nullptr;
  } catch (const Error &error) {
    if (!isRefusal(error))
      throw;
    return std::current_exception();
  } catch (const std::bad_alloc &) {
    if (!mayLackMemory)
      throw;
    return std::current_exception();
  }
}

std::string refusalText(const std::exception_ptr &refusal) {
  try {
    std::rethrow_exception(refusal);
  } catch (const Error &error) {
    const std::string message = error.what();
    return message.substr(0, message.find('\n'));
  } catch (const std::bad_alloc &) {
    return "the machine has too little free memory for it";
  }
}

} // namespace mpf
