// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"

namespace dubito {

/// Compares the content of every entry of a zip archive with its checksum. kMalformed, naming the
/// entry and giving `remedy`, if one differs, or if the archive is inconsistent. Entries that are
/// encrypted or compressed otherwise than by deflate are not compared.
[[nodiscard]] Status checkZipContents(const std::string& path, const std::string& remedy);

}  // namespace dubito
