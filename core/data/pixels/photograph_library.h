// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/expected.h"
#include "core/base/plot_values.h"

namespace dubito {

/// An image file whose header was checked, and what to make of it.
struct PhotographBytes {
  std::span<const std::uint8_t> bytes;
  int fraction = 1;     ///< of the width and height: 1, or in a JPEG file also 2, 4 or 8
  int orientation = 1;  ///< exifOrientationTag()
  std::uint64_t white =
      0;                 ///< value of white in a Netpbm file if it is to be scaled to 255, else 0
  bool is_deep = false;  ///< keep more than 8 bits until white is scaled
};

/// What libdubito_photographs.so provides. It is loaded for the first photograph: OpenCV brings a
/// hundred other libraries, which take longer to load than most commands to run.
struct PhotographLibrary {
  /// Decodes to 8 bits, one channel or RGB. kMalformed, with a message that does not name the file.
  Expected<Image8> (*decode)(const PhotographBytes& photograph);
  const char* opencv_version;
};

/// Type of the function that the library exports under the name kPhotographLibrarySymbol.
using PhotographLibraryFunction = const PhotographLibrary* (*)();
inline constexpr const char* kPhotographLibrarySymbol = "dubito_photographs_v1";

}  // namespace dubito
