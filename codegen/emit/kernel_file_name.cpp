#include "codegen/emit/kernel_file_name.h"

#include "codegen/bundle/lanes/team_program.h"
#include "codegen/emit/lanes/lane_kernel_parts.h"
#include "codegen/emit/lanes/team_source.h"
#include "codegen/emit/table_driven_source.h"

namespace mpf {

std::string kernelFileName(std::string_view cudaText) {
  if (const std::string_view lanes = laneKernelName(cudaText); !lanes.empty())
    return std::string(lanes);
  const auto beginsAs = [&](const std::string &own, size_t bytes) {
    return cudaText.starts_with(std::string_view(own).substr(0, bytes));
  };
  for (const ElementType type : {ElementType::F64, ElementType::F32})
    if (beginsAs(teamSource(type), teamHeadBytes(type)))
      return teamKernelName(type);
  for (const ElementType type :
       {ElementType::F64, ElementType::F32, ElementType::U64, ElementType::U128})
    for (const bool packed : {false, true})
      if (beginsAs(tableDrivenSource(type, packed), tableDrivenHeadBytes(type, packed)))
        return tableDrivenName(type, packed);
  return "";
}

} // namespace mpf
