// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/label_places.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QStandardPaths>

#include "core/data/sources/dataset_spec.h"
#include "core/data/sources/labels_dataset.h"
#include "core/labels/sql/open_connection.h"
#include "core/review/formats/file_names.h"

namespace dubito {
namespace {

/// Of the dataset's name in that of its label file.
constexpr int kMaxNameLength = 60;

/// The store that a dataset has its labels from; empty: it is none of the kind labels:.
QString storeOf(const Dataset& dataset) {
  const auto spec = parseDatasetSpec(dataset.info().spec);
  if (!spec || spec->scheme != kLabelsScheme) {
    return {};
  }
  const QString place = QString::fromStdString(spec->location);
  return isServerAddress(spec->location) ? place : QFileInfo(place).absoluteFilePath();
}

}  // namespace

QString LabelPlaces::of(const Dataset& dataset) const {
  for (const auto& [known, store] : stores_) {
    if (known.lock().get() == &dataset) {
      return store;
    }
  }
  if (const QString store = storeOf(dataset); !store.isEmpty()) {
    return store;  // the review continues
  }
  const QString folder =
      settings_
          .value(QStringLiteral("review/folder"),
                 QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
                     QStringLiteral("/labels"))
          .toString();
  // Datasets of the same name differ in their specification.
  const QByteArray hash = QCryptographicHash::hash(QByteArray::fromStdString(dataset.info().spec),
                                                   QCryptographicHash::Sha1);
  return QStringLiteral("%1/%2-%3.labels")
      .arg(folder, QString::fromStdString(fileNameOf(dataset.info().name)).left(kMaxNameLength),
           QString::fromLatin1(hash.toHex().left(8)));
}

bool LabelPlaces::isStore(const DatasetPtr& dataset) const {
  return stores_.contains(dataset) || !storeOf(*dataset).isEmpty();
}

}  // namespace dubito
