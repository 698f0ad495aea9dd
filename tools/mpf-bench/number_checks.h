// Checks of real numbers among mpf-bench's options. CLI11's own comparisons let "nan" through.
#pragma once

namespace CLI {
class Validator;
}

namespace mpf::bench {

/// Numbers above zero, infinity among them (a limit that is none).
const CLI::Validator &positive();
/// Numbers from `least` to `greatest`.
CLI::Validator between(double least, double greatest);

} // namespace mpf::bench
