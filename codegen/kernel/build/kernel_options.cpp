#include "codegen/kernel/build/kernel_options.h"

namespace mpf {

ValueForm valueFormOf(Semiring semiring, ValueForm asked) {
  if (semiring.reduce == Reduce::LogSum)
    return ValueForm::Log;
  return semiring.combine == Combine::Plus ? ValueForm::Linear : asked;
}

} // namespace mpf
