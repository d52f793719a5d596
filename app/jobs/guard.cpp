// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/guard.h"

#include <fmt/format.h>

namespace dubito {

Error errorFromException(const std::string& title, const std::exception& exception) {
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr) {
    return {ErrorCode::kOutOfMemory,
            fmt::format("{}: out of memory; use a smaller batch or fewer draws", title),
            exception.what()};
  }
  const std::string text = exception.what();
  std::string first = text.substr(0, text.find('\n'));
  if (first.empty()) {
    first = "an exception without a message";
  }
  return {ErrorCode::kInternal,
          fmt::format("{}: {}; try other options or another file", title, first), text};
}

Error errorFromUnknown(const std::string& title) {
  return {ErrorCode::kInternal,
          fmt::format("{}: unknown exception; try other options or another file", title),
          {}};
}

}  // namespace dubito
