// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/file_filters.h"

#include <QStringList>

#include "core/data/sources/dataset_kinds.h"
#include "core/models/program/network_format.h"
#include "core/review/formats/label_format.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

QStringList patternsOf(const DatasetKind& kind) {
  QStringList patterns;
  for (const std::string& pattern : kind.patterns()) {
    patterns << QString::fromStdString(pattern);
  }
  return patterns;
}

QStringList modelPatterns() {
  QStringList patterns;
  for (const std::string_view ending : networkEndings()) {
    patterns << '*' + QString::fromUtf8(ending.data(), static_cast<qsizetype>(ending.size()));
  }
  return patterns;
}

QStringList datasetPatterns() {
  QStringList patterns;
  for (const auto& kind : allDatasetKinds()) {
    patterns += patternsOf(*kind);
  }
  patterns.removeDuplicates();
  return patterns;
}

QStringList predictionPatterns() {
  return {QStringLiteral("*.npz"), QStringLiteral("*.npy"), QStringLiteral("*.csv")};
}

/// Files of label formats, and stores of a review.
QStringList labelPatterns() {
  QStringList patterns = {QStringLiteral("*.labels")};
  for (const LabelFormat* const format : allLabelFormats()) {
    if (*format->ending != '\0') {
      patterns << '*' + QLatin1String(format->ending);
    }
  }
  patterns.removeDuplicates();
  return patterns;
}

QString filter(const QString& label, const QStringList& patterns) {
  return QStringLiteral("%1 (%2)").arg(label, patterns.join(u' '));
}

/// Joins the filters and appends one for all files.
QString joined(QStringList filters) {
  filters << tr("All files (*)");
  return filters.join(QStringLiteral(";;"));
}

}  // namespace

QString modelFilter() {
  return joined({filter(tr("Models"), modelPatterns())});
}

QString datasetFilter() {
  QStringList filters{filter(tr("Datasets"), datasetPatterns())};
  for (const auto& kind : allDatasetKinds()) {
    if (const QStringList patterns = patternsOf(*kind); !patterns.isEmpty()) {
      filters << filter(QString::fromStdString(kind->label()), patterns);
    }
  }
  return joined(filters);
}

QString predictionFilter() {
  return joined({filter(tr("Runs and predictions"), predictionPatterns())});
}

QString labelFilter() {
  return joined({filter(tr("Labels"), labelPatterns())});
}

QString anythingFilter() {
  QStringList patterns =
      modelPatterns() + datasetPatterns() + predictionPatterns() + labelPatterns();
  patterns << QStringLiteral("*.dubito");
  patterns.removeDuplicates();
  return joined({filter(tr("All supported files"), patterns)});
}

}  // namespace dubito
