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
/// that has claimed it writes RUN.npz.
class PartsFolder {
 public:
  /// Creates the folder if it is missing and locks it, so that write errors show up before anything
  /// is computed. kWriteFailed if that fails, or if another program has the lock. Unfinished files
  /// are removed and counted.
  [[nodiscard]] static Expected<PartsFolder> claim(const std::string& run_path);

  /// The folder claimed by another process of the same computation, which keeps it until all are
  /// done. Only add() is allowed.
  [[nodiscard]] static PartsFolder join(const std::string& run_path) { return {run_path, -1}; }

  PartsFolder(PartsFolder&& other) noexcept;
  PartsFolder& operator=(PartsFolder&& other) = delete;
  /// Releases the lock and removes the folder if it has no parts.
  ~PartsFolder();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The folder's name without its parent path.
  [[nodiscard]] std::string name() const;
  /// Files with names of parts, valid or not, in the order of their items.
  [[nodiscard]] std::vector<std::string> partPaths() const;
  /// Number of unfinished files removed by claim().
  [[nodiscard]] int unfinished() const { return unfinished_; }

  /// Saves a part. An older file of the same items is replaced.
  [[nodiscard]] Status add(const RunPart& part) const;
  [[nodiscard]] std::string pathOf(std::int64_t begin, std::int64_t end) const;

  /// RUN.npz, in this folder until it is complete.
  [[nodiscard]] Expected<AtomicFile> createRunFile() const;

  /// Removes all parts, and the folder when this object is destroyed. Files of other programs stay.
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
