// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/expected.h"

namespace dubito {

/// Error::context of errors that disappear once the metadata of the network states an input size.
inline constexpr const char* kNeedsInputSize = "no input size";

/// Whether images could not become inputs because they have several sizes, or are too large, and
/// nothing says to which size they are resized.
[[nodiscard]] inline bool needsInputSize(const Error& error) {
  return error.context == kNeedsInputSize;
}

}  // namespace dubito
