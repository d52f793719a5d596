// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/io/run.h"

namespace dubito {

/// Which runs are stored in files. A run that exists only in memory counts as unsaved work unless
/// it is marked as repeatable.
class RunFiles {
 public:
  using RunPtr = std::shared_ptr<const Run>;

  /// Records that the run was read from this file or written to it.
  void setFile(const RunPtr& run, std::string path);
  /// Marks a run that is computed automatically (the demo): losing it costs nothing.
  void setRepeatable(const RunPtr& run);

  /// Empty if the run exists only in memory.
  [[nodiscard]] std::string fileOf(const RunPtr& run) const;
  /// Whether the run exists only in memory and is not repeatable.
  [[nodiscard]] bool isUnsaved(const RunPtr& run) const;

 private:
  struct Entry {
    std::string file;
    bool repeatable = false;
  };
  Entry& entryOf(const RunPtr& run);

  std::map<std::weak_ptr<const Run>, Entry, std::owner_less<>> entries_;
};

}  // namespace dubito
