// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// Returns `path` as an absolute path without "." and "..".
[[nodiscard]] std::string absolutePath(const std::string& path);

/// Returns the relative path from `folder` to `path` (both absolute), which stays valid if a common
/// parent folder is moved and leads to `path` even through symbolic links. Returns `path` unchanged
/// if there is no such relative path.
[[nodiscard]] std::string pathFrom(const std::string& folder, const std::string& path);

/// Inverse of pathFrom(): resolves `path` against `folder`. An absolute `path` is only normalised.
[[nodiscard]] std::string pathIn(const std::string& folder, const std::string& path);

}  // namespace dubito
