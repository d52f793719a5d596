// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// `path`, absolute, without "." and "..".
[[nodiscard]] std::string absolutePath(const std::string& path);

/// The way to `path` from `folder`, both absolute: one that leads there through the links on the
/// way, and stays right when a folder that holds both is moved. `path` itself where there is none.
[[nodiscard]] std::string pathFrom(const std::string& folder, const std::string& path);

/// The reverse: `path` as it is where it is absolute, else from `folder`.
[[nodiscard]] std::string pathIn(const std::string& folder, const std::string& path);

}  // namespace dubito
