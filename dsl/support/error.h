// The exception type of mpf, and the exit code for each kind of failure.
//
// Errors in a user's *text* (a model, a .uai file, a plan) are diagnostics with a place
// (dsl/source/diagnostic.h), which are collected and not thrown. A failure that ends an action at
// once is thrown as an `Error`; the tools print what() and exit with exitCode(kind).
#pragma once

#include <stdexcept>
#include <string>

namespace mpf {

enum class ErrorKind {
  BadInput,     ///< the user's files or values cannot be used as they are
  Usage,        ///< the command line or an API call makes no sense
  MemoryBound,  ///< the memory bound cannot be met; the message holds the smallest peak found
  TimeLimit,    ///< the time limit was reached before a result
  Device,       ///< driver, device or compiler missing or failing
  Verification, ///< a recomputed entry differs from the result
  Overflow,     ///< a whole number does not fit its element type; nothing was rounded
  Unsupported,  ///< valid input that this version of mpf refuses
  Cancelled,    ///< the host program ended the call (dsl/support/system/watch.h)
  Internal      ///< a broken invariant: a bug of mpf
};

/// Returns the exit code of a process that ends by this failure (tools/mpfc/CONVENTIONS.md).
int exitCode(ErrorKind kind);

class Error : public std::runtime_error {
public:
  Error(ErrorKind kind, const std::string &message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

private:
  ErrorKind kind_;
};

} // namespace mpf
