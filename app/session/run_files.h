// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/io/run.h"

namespace dubito {

/// Which runs lie in files, and which would be lost with the memory.
class RunFiles {
 public:
  using RunPtr = std::shared_ptr<const Run>;

  /// The run was read from this file, or written into it.
  void setFile(const RunPtr& run, std::string path);
  /// The run was computed because somebody asked for it.
  void setWanted(const RunPtr& run);

  /// Empty: it is in memory alone.
  [[nodiscard]] std::string fileOf(const RunPtr& run) const;
  /// It was asked for and is in memory alone.
  [[nodiscard]] bool wouldBeLost(const RunPtr& run) const;

 private:
  struct Entry {
    std::string file;
    bool wanted = false;
  };
  Entry& entryOf(const RunPtr& run);

  std::map<std::weak_ptr<const Run>, Entry, std::owner_less<>> entries_;
};

}  // namespace dubito
