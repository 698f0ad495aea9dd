// The language server of mpfc: it answers the requests of an editor about open texts.
//
// Protocol: Language Server Protocol 3.17 over two pipes. One thread reads, checks and answers.
// Messages are published when no request waits, so many quick changes cost one check.
#pragma once

#include <functional>
#include <string_view>

namespace mpf::lsp {

/// Serves one client until it says `exit` or its pipe ends. `in`: the file descriptor to read.
/// `write` writes the whole text or throws. Returns the exit code of the protocol: 0 if `shutdown`
/// was asked before, else 1.
int serve(int in, const std::function<void(std::string_view)> &write);

} // namespace mpf::lsp
