// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/status_text.h"

#include <QStringList>
#include <optional>

#include "app/session/session.h"
#include "app/words/words.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {

QString statusText(const Session& session, PageId page, const Device& device) {
  QStringList parts;
  if (const AnalysisPtr analysis = session.activeAnalysis()) {
    parts << countedText(analysis->itemCount(), tr("%1 item"), tr("%1 items"));
    if (hasSelection(session.listing().query()) && session.listing().items()) {
      parts << tr("selection %1")
                   .arg(countText(static_cast<qint64>(session.listing().items()->size())));
    }
    const Measure measure = session.plots().thresholdMeasure();
    const std::optional<double> threshold = session.plots().threshold(measure);
    if (threshold && describe(page).shows_run) {
      parts << tr("threshold %1 %2 %3")
                   .arg(measureName(measure), shortText(*threshold), measureUnit(measure))
                   .trimmed();
    }
    if (!analysis->in().run->meta.device.empty()) {
      parts << QString::fromStdString(analysis->in().run->meta.device);
    }
  } else {
    parts << QString::fromStdString(toString(device));
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace dubito
