// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace dubito {

/// Name of the network file system with this type number (statfs(2)), such as "NFS"; nothing for
/// local file systems. Processes on different machines cannot share memory through such a file.
/// FUSE counts as one, because nobody can tell what is behind it.
[[nodiscard]] std::optional<std::string> networkFileSystemOfType(long type);
/// The same for the folder of `path`; nothing if that cannot be found out.
[[nodiscard]] std::optional<std::string> networkFileSystemAt(const std::string& path);

}  // namespace dubito
