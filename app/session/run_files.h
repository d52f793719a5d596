// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/io/run.h"

namespace dubito {

/// Keeps track of which runs are stored in files. A run that exists only in memory counts as
/// unsaved work unless it is marked as repeatable.
class RunFiles {
 public:
  using RunPtr = std::shared_ptr<const Run>;

  /// Records that `run` was read from, or written to, the file at `path`.
  void setFile(const RunPtr& run, std::string path);
  /// Marks a run that was computed automatically (for the demo), so that losing it does no harm.
  void setRepeatable(const RunPtr& run);

  /// File of the run; empty if it exists only in memory.
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
