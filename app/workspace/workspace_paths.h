// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// `path`, absolute, without "." and "..".
[[nodiscard]] std::string absolutePath(const std::string& path);

/// Relative path from `folder` to `path`, both absolute. It resolves correctly through symbolic
/// links and stays valid if a folder that contains both is moved; `path` itself if none exists.
[[nodiscard]] std::string pathFrom(const std::string& folder, const std::string& path);

/// Inverse of pathFrom(): resolves `path` against `folder`; an absolute path stays unchanged.
[[nodiscard]] std::string pathIn(const std::string& folder, const std::string& path);

}  // namespace dubito
