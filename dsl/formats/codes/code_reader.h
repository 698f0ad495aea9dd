// Reads the parity checks of a code (alist_file.h) as a model: 1 for each codeword, 0 for other
// words. With a channel it has soft evidence of a received word (received_words.h).
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads a whole text. The bits are x0, x1, ... The query is the number of codewords, in u64 below
/// 64 bits, else in u128. With a channel the queries are the posteriors of the bits and the best
/// word. Returns nothing when an error was reported. The memory is proportional to the text.
///
/// A check of more than 6 bits, say check 3, becomes a chain of variables `h3_1`, `h3_2` and so on.
/// Each is the parity of the bits so far (Wiberg 1996, section 2.2). It is a function of the bits,
/// so sums and maxima are those of the check.
std::optional<Model> readCode(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                              const ModelReadOptions &options = {});

/// Whether each of the first two lines, after comments, has two numbers alone.
bool startsAsCode(std::string_view text);

} // namespace mpf
