// Debian 12's libfmt 9 is built by GCC, which mangles the type of this function's third parameter
// differently from Clang. One instance made here by Clang lets every other file link to the
// library as it is; FMT_HEADER_ONLY instead makes each file of a Clang build four times dearer.
#include <fmt/format.h>

#if FMT_VERSION < 100000
template void fmt::detail::vformat_to<char>(buffer<char> &out, basic_string_view<char> format,
                                            basic_format_args<buffer_context<char>> arguments,
                                            locale_ref locale);
#endif
