// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace dubito {

/// `prefix` and `path`, percent-encoded except for '/'; the plain path if `prefix` is empty.
[[nodiscard]] std::string imageUrl(std::string_view prefix, std::string_view path);

/// The path in what Label Studio stores of an image: "/data/local-files/?d=a/1.png" and
/// "s3://bucket/a/1.png?x=y" give "a/1.png"; "/data/upload/2/1f2e3d4c-1.png" gives "1.png", the
/// name of the uploaded file. Other texts are unchanged.
[[nodiscard]] std::string pathOfImageUrl(std::string_view url);

/// The path in an image reference of any program: pathOfImageUrl() with '/' as separator, without
/// percent-encoding and "file:" prefix.
[[nodiscard]] std::string plainImagePath(std::string_view reference);

}  // namespace dubito
