#include "codegen/bundle/print_bundle.h"

#include "codegen/bundle/bundle_json.h"

namespace mpf {

std::string printBundle(const Bundle &bundle) {
  return bundleToJson(bundle, BundleText::Summary, 1) + "\n";
}

} // namespace mpf
