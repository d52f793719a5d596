// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/run_files.h"

#include <utility>

namespace dubito {

RunFiles::Entry& RunFiles::entryOf(const RunPtr& run) {
  std::erase_if(entries_, [](const auto& entry) { return entry.first.expired(); });
  return entries_[run];
}

void RunFiles::setFile(const RunPtr& run, std::string path) {
  entryOf(run).file = std::move(path);
}

void RunFiles::setRepeatable(const RunPtr& run) {
  entryOf(run).repeatable = true;
}

std::string RunFiles::fileOf(const RunPtr& run) const {
  const auto found = entries_.find(run);
  return found == entries_.end() ? std::string() : found->second.file;
}

bool RunFiles::isUnsaved(const RunPtr& run) const {
  const auto found = entries_.find(run);
  return found == entries_.end() || (!found->second.repeatable && found->second.file.empty());
}

}  // namespace dubito
