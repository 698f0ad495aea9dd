// The errors with which an engine refuses a list, so that another engine may answer it.
#pragma once

#include "dsl/support/error.h"

#include <exception>
#include <functional>
#include <string>

namespace mpf {

/// Whether another engine may still answer the list: the error is Error(Unsupported) or
/// Error(MemoryBound).
bool isRefusal(const Error &error);

/// Whether a refusal is about memory: Error(MemoryBound) or std::bad_alloc.
bool isAboutMemory(const std::exception_ptr &refusal);

/// Calls `call` and returns its refusal. Null: it returned. Throws its other errors.
/// `mayLackMemory`: std::bad_alloc is a refusal too.
std::exception_ptr refusalOf(const std::function<void()> &call, bool mayLackMemory = true);

/// Returns the first line of the message: the lines below it show a place, which only a terminal
/// can.
std::string refusalText(const std::exception_ptr &refusal);

} // namespace mpf
