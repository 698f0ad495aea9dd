// Words that came over a channel, as params and soft evidence of a code.
#pragma once

#include "dsl/formats/network/channel.h"
#include "dsl/model/model.h"

#include <string>
#include <vector>

namespace mpf {

/// Returns the text of a model that imports a code under the name `code` and observes its `bits`
/// bits x0, x1, ... over the channel. What came for bit 3 is the param `y3`; its first value says
/// nothing of the bit. The number of the channel is the param `flip` or `sigma`. The queries are
/// the posteriors of the bits, and the best word (Richardson and Urbanke 2008, sections 2.5, 4.1).
std::string receivedText(const Channel &channel, uint64_t bits, const std::string &name,
                         const std::string &code);

/// Returns the text of the params of such a model alone.
std::string receivedParamsText(const Channel &channel, uint64_t bits);

/// Returns the names of the params of received numbers, bit by bit.
std::vector<std::string> receivedParams(const Model &model);

} // namespace mpf
