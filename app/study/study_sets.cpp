// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_sets.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/shift/shift_values.h"
#include "app/study/study_offers.h"
#include "app/study/study_templates.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kMaxSteps = 24;

}  // namespace

StudyOodSets::StudyOodSets(const StudyDraft& draft, const Session& session, QWidget* parent)
    : StudyList(draft, "/ood", "studyOod", parent) {
  fields().addText({tr("Name"), "studyOodName", "/name", StudyFieldKind::kText,
                    tr("Name in tables and figures")});
  fields().addText({tr("Data"), "studyOodData", "/data", StudyFieldKind::kText,
                    tr("Dataset specification of items of other classes")},
                   datasetOffers(session));
}

QString StudyOodSets::summaryOf(const StudyJson& member) const {
  return QStringLiteral("%1 · %2").arg(textAt(member, "name"), textAt(member, "data"));
}

StudyJson StudyOodSets::freshMember() const {
  return {{"name", freshName("OOD")}, {"data", ""}};
}

StudyTargets::StudyTargets(const StudyDraft& draft, const Session& session, QWidget* parent)
    : StudyList(draft, "/targets", "studyTargets", parent),
      kind_(new QComboBox(this)),
      last_(new QSpinBox(this)),
      series_(new QPushButton(tr("Add series"), this)) {
  fields().addText({tr("Name"), "studyTargetName", "/name", StudyFieldKind::kText,
                    tr("Name in tables and figures")});
  fields().addText({tr("Data"), "studyTargetData", "/data", StudyFieldKind::kText,
                    tr("Dataset specification of the items to test on")},
                   datasetOffers(session));
  fields().addText({tr("Shift"), "studyTargetShift", "/shift", StudyFieldKind::kTexts,
                    tr("Targets of the same shift make a curve over severity; several, separated "
                       "by commas, if this target begins several curves"),
                    tr("none")});
  fields().addText({tr("Severity"), "studyTargetSeverity", "/severity", StudyFieldKind::kNumber,
                    tr("How strong the shift is")});
  fields().addText(
      {tr("Adaptation"), "studyTargetAdaptation", "/adaptation", StudyFieldKind::kText,
       tr("A few labelled items of the domain of this target"), tr("that of the study")},
      datasetOffers(session));
  auto* const row = new QHBoxLayout;
  row->setSpacing(2 * kGrid);
  kind_->setObjectName(QStringLiteral("studySeriesKind"));
  kind_->setAccessibleName(tr("Corruption of the series"));
  for (const CorruptionKind kind : allCorruptions()) {
    kind_->addItem(corruptionName(kind), static_cast<int>(kind));
    kind_->setItemData(kind_->count() - 1, corruptionDescription(kind), Qt::ToolTipRole);
  }
  kind_->setCurrentIndex(kind_->findData(static_cast<int>(CorruptionKind::kRotation)));
  last_->setObjectName(QStringLiteral("studySeriesLast"));
  last_->setAccessibleName(tr("Highest severity of the series"));
  last_->setToolTip(tr("Highest severity of the series"));
  last_->setRange(1, kMaxSteps);
  last_->setValue(5);
  series_->setObjectName(QStringLiteral("studyAddSeries"));
  series_->setToolTip(
      tr("Adds the selected target, corrupted with the severities 1, 2, ...; the selected one "
         "becomes the severity 0"));
  row->addWidget(kind_, 1);
  row->addWidget(new QLabel(tr("up to"), this));
  row->addWidget(last_);
  row->addWidget(series_);
  rows().addLayout(row);
  connect(series_, &QPushButton::clicked, this, &StudyTargets::addSeries);
}

QString StudyTargets::summaryOf(const StudyJson& member) const {
  const QString shift = textAt(member, "shift");
  const QString place = shift.isEmpty()
                            ? QString()
                            : QStringLiteral(" · %1 %2").arg(shift, textAt(member, "severity"));
  return QStringLiteral("%1%2 · %3").arg(textAt(member, "name"), place, textAt(member, "data"));
}

StudyJson StudyTargets::freshMember() const {
  return {{"name", freshName("target")}, {"data", ""}};
}

void StudyTargets::showMember() {
  series_->setEnabled(currentMember() != nullptr);
}

void StudyTargets::addSeries() {
  const StudyJson* const base = currentMember();
  if (base == nullptr) {
    return;
  }
  const std::vector<StudyJson> series =
      targetsOf({textAt(*base, "name").toStdString(), textAt(*base, "data").toStdString(),
                 static_cast<CorruptionKind>(kind_->currentData().toInt()), last_->value()},
                *draft().document());
  StudyJson all = members();
  StudyJson& first = all[static_cast<std::size_t>(current())];
  // A target can begin the curves of several shifts.
  QString shifts = textAt(first, "shift");
  const QString shift = textAt(series.front(), "shift");
  if (!shifts.split(QStringLiteral(", ")).contains(shift)) {
    shifts += shifts.isEmpty() ? shift : QStringLiteral(", ") + shift;
  }
  first["shift"] = valueOfText(shifts, StudyFieldKind::kTexts);
  first["severity"] = 0;
  for (auto target = series.begin() + 1; target != series.end(); ++target) {
    StudyJson added = *target;
    if (first.contains("adaptation")) {
      added["adaptation"] = first["adaptation"];
    }
    added["name"] = freshName(added["name"].get<std::string>());
    all.push_back(std::move(added));
  }
  Q_EMIT edited(listPlace(), all);
}

}  // namespace dubito
