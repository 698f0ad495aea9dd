// Writes ZIP archives (PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16), as .npz needs
// them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mpf::driver {

/// Returns an archive of members that are stored, not packed: (name, contents). The date of all
/// members is 1980-01-01, so that the same members give the same bytes. Throws Error(Unsupported)
/// for more than 65535 members, 4 GiB, or
/// a name of more than 65535 bytes.
std::string zipText(const std::vector<std::pair<std::string, std::string>> &members);

} // namespace mpf::driver
