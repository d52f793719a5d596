// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/recent_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "core/data/sources/dataset_files.h"

namespace dubito {
namespace {

constexpr char kKey[] = "recentFiles";
constexpr char kFolder[] = "recentFolder";

}  // namespace

QStringList RecentFiles::list() const {
  return settings_.value(kKey).toStringList();
}

void RecentFiles::add(const QString& specification) {
  QStringList files = list();
  files.removeAll(specification);
  files.prepend(specification);
  settings_.setValue(kKey, files.mid(0, kMaximum));
}

void RecentFiles::remove(const QString& specification) {
  QStringList files = list();
  files.removeAll(specification);
  settings_.setValue(kKey, files);
}

void RecentFiles::clear() {
  settings_.remove(kKey);
}

bool refersToMissingFile(const std::string& specification) {
  const auto files = datasetFiles(specification);
  const std::vector<std::string> named = files ? *files : std::vector{specification};
  return std::ranges::any_of(named, [](const std::string& file) {
    std::error_code ignored;
    return !std::filesystem::exists(file, ignored);
  });
}

QString RecentFiles::folder() const {
  return settings_.value(kFolder).toString();
}

void RecentFiles::setFolder(const QString& folder) {
  settings_.setValue(kFolder, folder);
}

}  // namespace dubito
