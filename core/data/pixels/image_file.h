// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/expected.h"
#include "core/base/plot_values.h"

namespace dubito {

/// Fails with kUnsupported, stating the reason, if this build cannot decode photographs or the
/// library that does (photograph_library.h) cannot be loaded.
[[nodiscard]] Status canReadPhotographs();

/// Version of the OpenCV used for decoding; empty in a build without it.
[[nodiscard]] std::string opencvVersion();

/// Decodes a photograph (JPEG, JPEG 2000, PNG, BMP, TIFF, WebP, Netpbm, Sun raster) to 8 bits. The
/// contents decide, not the name. Grey images have one channel (except in WebP and, with
/// transparency, in PNG, which are always colour), colour images are RGB, samples of other depths
/// are scaled to 8 bits, transparency is dropped, the EXIF orientation is applied in every format
/// that has one (JPEG, PNG, TIFF, WebP), and only the first page is read. At most 2^28 pixels.
/// Truncated files are refused, even if a decoder would fill in the rest.
[[nodiscard]] Expected<Image8> readImageFile(const std::string& path);

/// An image file that was decoded to be looked at.
struct ReducedImage {
  Image8 image;
  bool whole = true;  ///< has every pixel of the file
};

/// The same at a half, a quarter or an eighth of the width and height (rounded up), the smallest of
/// these whose longer side has at least `min_side` pixels. Only JPEG files are decoded faster at a
/// smaller size; others are returned whole.
[[nodiscard]] Expected<ReducedImage> readReducedImageFile(const std::string& path,
                                                          std::int64_t min_side);

}  // namespace dubito
