// Options for files of codes and of tensors.
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

namespace mpf::driver {

namespace {

constexpr OptionRow kFormatRows[] = {
    {.name = kChannelOption,
     .commands = kOnModels,
     .group = OptionGroup::Codes,
     .metavar = "CHANNEL",
     .brief = "the channel of the words of a code: llr, bsc:P or awgn:SIGMA",
     .text = "The params y0, y1, ... are the received values: columns of --cases, or -D y0=0.7. A "
             ".npy array "
             "has a column for each bit. With llr these are logarithms of P(0)/P(1). With bsc they "
             "are bits, flipped with the probability P. With awgn 1 is sent for 0, and -1 for 1; "
             "noise of the deviation SIGMA is added.",
     .value = {readFormatOption},
     .effects = {&effect::kTextOnly}},
    {.name = kTensorsOption,
     .commands = kOnModels,
     .group = OptionGroup::Codes,
     .metavar = "FILE",
     .brief = "the tensors of an .einsum or .json model: a .npz archive",
     .text = "Its arrays are called op0, op1, ... or arr_0, arr_1, ... in the order of the "
             "operands. Without it the operands of a .json are inputs.",
     .value = {readFormatOption, Completion::File},
     .effects = {&effect::kTextOnly}},
};

} // namespace

std::span<const OptionRow> formatRows() { return kFormatRows; }

} // namespace mpf::driver
