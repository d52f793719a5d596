// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_export.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <utility>

#include "app/review/reviewer.h"

namespace dubito {

ReviewExport::ReviewExport(Reviewer& reviewer, QWidget* parent)
    : QPushButton(tr("Export labels"), parent), reviewer_(reviewer) {
  setObjectName(QStringLiteral("reviewExport"));
  setFocusPolicy(Qt::TabFocus);
  auto* const formats = new QMenu(this);
  for (const LabelFormat* const format : allLabelFormats()) {
    QAction* const action =
        formats->addAction(QString::fromUtf8(format->name), [this, format] { exportAs(*format); });
    action->setObjectName(QStringLiteral("exportLabels-") + QLatin1String(format->key));
    action->setToolTip(QString::fromUtf8(format->summary));
  }
  formats->setToolTipsVisible(true);
  setMenu(formats);
  connect(&reviewer_.file(), &LabelFile::exported, this,
          [this](const QString& path, const DecisionCounts& counts, const QStringList& notes) {
            Q_EMIT written(
                tr("Exported to %1: %2.").arg(QFileInfo(path).fileName(), countsText(counts)),
                (QStringList(path) + notes).join(QLatin1Char('\n')));
          });
}

void ReviewExport::exportAs(const LabelFormat& format) {
  const bool folder = *format.ending == '\0';
  QString path = std::exchange(next_file_name_, {});
  if (path.isEmpty()) {
    const QString title = tr("Export labels: %1").arg(QString::fromUtf8(format.name));
    path = QFileDialog::getSaveFileName(
        this, title, tr("labels") + QString::fromUtf8(format.ending),
        folder ? QString() : QStringLiteral("*%1").arg(QString::fromUtf8(format.ending)));
  }
  if (!path.isEmpty()) {
    reviewer_.file().exportTo(format, path, reviewer_.imageFolder());
  }
}

}  // namespace dubito
