// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/store_images.h"

#include <QDir>
#include <QUrl>

namespace dubito {
namespace {

/// A path as a key of the settings, which may contain no slash.
QString keyOf(const QString& store) {
  return QStringLiteral("review/images/") +
         QString::fromLatin1(QUrl::toPercentEncoding(store, {}, "."));
}

}  // namespace

QString StoreImages::folderOf(const QString& store) const {
  const QString folder = settings_.value(keyOf(store)).toString();
  return QDir(folder).exists() ? folder : QString();
}

void StoreImages::remember(const QString& store, const QString& folder) {
  settings_.setValue(keyOf(store), folder);
}

}  // namespace dubito
