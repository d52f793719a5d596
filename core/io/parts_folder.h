// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/atomic_file.h"
#include "core/io/run_part.h"

namespace dubito {

/// The folder RUN.npz.parts, where a long computation keeps its finished parts. Only the process
/// that has claimed the folder writes RUN.npz.
class PartsFolder {
 public:
  /// Creates the folder if it is missing, locks it, and removes unfinished files. Write errors thus
  /// occur before anything is computed. kWriteFailed if the folder or RUN.npz cannot be written, or
  /// another program holds the lock.
  [[nodiscard]] static Expected<PartsFolder> claim(const std::string& run_path);

  /// Opens the folder that another process of the same computation has claimed. That process must
  /// hold it until all processes are done. Only add() is allowed.
  [[nodiscard]] static PartsFolder join(const std::string& run_path) { return {run_path, -1}; }

  PartsFolder(PartsFolder&& other) noexcept;
  PartsFolder& operator=(PartsFolder&& other) = delete;
  /// Releases the lock and removes the folder if it has no parts.
  ~PartsFolder();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The folder's name without its parent path.
  [[nodiscard]] std::string name() const;
  /// Paths of all files that are named like parts, valid or not, in the order of their items.
  [[nodiscard]] std::vector<std::string> partPaths() const;
  /// Number of unfinished files removed by claim().
  [[nodiscard]] int unfinished() const { return unfinished_; }

  /// Saves a part, replacing an older file with the same items.
  [[nodiscard]] Status add(const RunPart& part) const;
  /// Path of the file for the items [begin, end).
  [[nodiscard]] std::string pathOf(std::int64_t begin, std::int64_t end) const;

  /// Creates RUN.npz. Its temporary file is in this folder unless RUN.npz is a symbolic link.
  [[nodiscard]] Expected<AtomicFile> createRunFile() const;

  /// Removes all parts. The destructor then removes the folder, unless it contains other files.
  void removeParts() const;

 private:
  PartsFolder(std::string run_path, int lock);
  void removeUnfinished();

  std::string run_path_;
  std::string path_;
  int lock_ = -1;
  int unfinished_ = 0;
};

}  // namespace dubito
