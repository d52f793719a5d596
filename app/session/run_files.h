// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/io/run.h"

namespace dubito {

/// Which runs are stored in files. A run in memory alone counts as unsaved work, unless it is
/// marked as repeatable.
class RunFiles {
 public:
  using RunPtr = std::shared_ptr<const Run>;

  /// The run was read from this file, or written into it.
  void setFile(const RunPtr& run, std::string path);
  /// The run comes back without the user's doing (the demo's): losing it costs nothing.
  void setRepeatable(const RunPtr& run);

  /// Empty: it is in memory alone.
  [[nodiscard]] std::string fileOf(const RunPtr& run) const;
  /// It is in memory alone and not repeatable.
  [[nodiscard]] bool wouldBeLost(const RunPtr& run) const;

 private:
  struct Entry {
    std::string file;
    bool repeatable = false;
  };
  Entry& entryOf(const RunPtr& run);

  std::map<std::weak_ptr<const Run>, Entry, std::owner_less<>> entries_;
};

}  // namespace dubito
