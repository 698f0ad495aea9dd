#include "codegen/emit/tooling/end_without_memory.h"

#include <cstring>
#include <llvm/Support/ErrorHandling.h>
#include <new>
#include <unistd.h>

namespace mpf {

namespace {

const char *lastWords = "";
int lastCode = 1;

[[noreturn]] void endNow() {
  const ssize_t written = ::write(STDERR_FILENO, lastWords, std::strlen(lastWords));
  static_cast<void>(written); // there is nothing else to try
  ::_exit(lastCode);
}

} // namespace

void endWithoutMemory(const char *message, int exitCode) {
  lastWords = message;
  lastCode = exitCode;
  std::set_new_handler(endNow);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { endNow(); });
}

} // namespace mpf
