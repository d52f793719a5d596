// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/recent_files.h"

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

QString RecentFiles::folder() const {
  return settings_.value(kFolder).toString();
}

void RecentFiles::setFolder(const QString& folder) {
  settings_.setValue(kFolder, folder);
}

}  // namespace dubito
