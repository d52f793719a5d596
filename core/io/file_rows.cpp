// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/file_rows.h"

#include <fmt/format.h>

namespace dubito {

std::string FileRows::nameOf(std::int64_t row) const {
  return lines.empty() ? fmt::format("row {} (counted from 0)", row)
                       : fmt::format("row {} (counted from 0; line {})", row,
                                     lines[static_cast<std::size_t>(row)]);
}

tl::unexpected<Error> FileRows::malformed(const std::string& reason) const {
  return fail(ErrorCode::kMalformed, path + ": " + reason);
}

}  // namespace dubito
