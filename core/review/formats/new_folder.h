// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/expected.h"

namespace dubito {

/// A folder that is filled under a temporary name next to its final one and renamed when it is
/// complete. Without commit() nothing is left behind. Existing files are never touched: the final
/// folder must be absent or empty.
class NewFolder {
 public:
  /// kWriteFailed if `path` is a file or a folder with content, or the folder around it is missing
  /// or not writable.
  [[nodiscard]] static Expected<NewFolder> create(const std::string& path);

  NewFolder(NewFolder&& other) noexcept;
  NewFolder& operator=(NewFolder&&) = delete;
  ~NewFolder();

  /// The temporary folder.
  [[nodiscard]] const std::string& tempPath() const { return temp_path_; }

  /// Creates a folder inside, and those around it. kWriteFailed.
  [[nodiscard]] Status addFolder(const std::string& relative) const;
  /// Writes a file inside. kWriteFailed.
  [[nodiscard]] Status addFile(const std::string& relative, std::string_view text) const;
  /// Copies or links `source` as a file inside; `link` as in LabelExportOptions. kWriteFailed.
  [[nodiscard]] Status addImage(const std::string& relative, const std::string& source,
                                std::string_view link) const;

  /// Renames the folder. kWriteFailed, for example if somebody has put files into the final folder.
  [[nodiscard]] Status commit();

 private:
  NewFolder(std::string path, std::string temp_path);

  std::string path_;
  std::string temp_path_;  ///< empty once committed
};

}  // namespace dubito
