// Checks of real numbers among mpf-bench's options. CLI11's own comparisons let "nan" through.
#pragma once

namespace CLI {
class Validator;
}

namespace mpf::bench {

/// Accepts numbers above zero, including infinity (no limit).
const CLI::Validator &positive();
/// Accepts numbers from `least` to `greatest`.
CLI::Validator between(double least, double greatest);

} // namespace mpf::bench
