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

/// The folder RUN.npz.parts, where a long run keeps its complete parts while it is computed.
/// Whoever has claimed it is the only one who writes RUN.npz.
class PartsFolder {
 public:
  /// Makes the folder where it is missing and locks it, so that what cannot be written is known
  /// before anything is computed. kWriteFailed if that is not possible, or where another program
  /// has it. Files that were never finished are removed and counted.
  [[nodiscard]] static Expected<PartsFolder> claim(const std::string& run_path);

  /// The folder that another process of the same computation has claimed and keeps until all are
  /// done: parts can be added, no more.
  [[nodiscard]] static PartsFolder join(const std::string& run_path) { return {run_path, -1}; }

  PartsFolder(PartsFolder&& other) noexcept;
  PartsFolder& operator=(PartsFolder&& other) = delete;
  /// Gives the lock back, and removes the folder where it holds no part.
  ~PartsFolder();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The folder's name without what leads to it.
  [[nodiscard]] std::string name() const;
  /// Files named as parts, whole or not, in the order of their items.
  [[nodiscard]] std::vector<std::string> partPaths() const;
  /// Files that were begun but never finished, as claim() found them.
  [[nodiscard]] int unfinished() const { return unfinished_; }

  /// Keeps a part. An older file of the same items is replaced.
  [[nodiscard]] Status add(const RunPart& part) const;
  [[nodiscard]] std::string pathOf(std::int64_t begin, std::int64_t end) const;

  /// RUN.npz, kept in this folder until it is complete.
  [[nodiscard]] Expected<AtomicFile> createRunFile() const;

  /// Removes all parts, and the folder with the object. Other people's files are left.
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
