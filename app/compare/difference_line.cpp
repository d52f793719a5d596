// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare/difference_line.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "app/compare/compare_values.h"
#include "app/session/error_text.h"
#include "app/words/words.h"
#include "core/io/join_runs.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"

namespace dubito {

DifferenceLine::DifferenceLine(Session& session, WindowJobs& jobs, QWidget* parent)
    : QWidget(parent), session_(session), job_(jobs.fileThread()) {
  text_ = makeMutedLabel(QStringLiteral("differenceLine"), this);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  text_->installEventFilter(this);
  disagreements_ = new QPushButton(this);
  disagreements_->setObjectName(QStringLiteral("showDisagreements"));
  disagreements_->hide();
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(text_, 1);
  layout->addWidget(disagreements_);
  connect(disagreements_, &QPushButton::clicked, this, [this] {
    session_.listing().selectPicked(offered_);
    Q_EMIT imagesRequested();
  });
}

void DifferenceLine::setText(const QString& text) {
  job_.abandon();
  disagreements_->hide();
  show(text);
}

void DifferenceLine::show(const QString& text) {
  text_->setText(text);
  fitHeight();
}

void DifferenceLine::fitHeight() {
  // The table above takes all height that the text does not insist on.
  text_->setMinimumHeight(std::max(0, text_->heightForWidth(text_->width())));
}

bool DifferenceLine::eventFilter(QObject* watched, QEvent* event) {
  if (watched == text_ && event->type() == QEvent::Resize) {
    fitHeight();
  }
  return QWidget::eventFilter(watched, event);
}

void DifferenceLine::compare(const ComparedRun& run) {
  const AnalysisPtr shown = session_.activeAnalysis();
  if (!shown || std::ranges::find(run.seeds, shown) != run.seeds.end()) {
    setText(tr("This is the run shown; select another one to see the difference"));
    return;
  }
  disagreements_->hide();
  show(tr("Comparing…"));
  job_.restart<Difference>(
      tr("Comparing"), {},
      [chosen = run.seeds.front(), shown,
       name = run.name](RunContext& context) -> Expected<Difference> {
        const Run& other = *chosen->in().run;
        const Run& reference = *shown->in().run;
        auto comparison = pairedComparison(other, reference, {}, context);
        // Only runs over the same items can disagree.
        auto rows = comparison ? disagreements({reference, shown->name}, {other, name})
                                     .value_or(std::vector<bool>())
                               : std::vector<bool>();
        return Difference{name, shown->name, std::move(comparison),
                          std::make_shared<const std::vector<bool>>(std::move(rows))};
      },
      this,
      [this](const Expected<Difference>& difference) {
        if (difference) {
          describe(*difference);
        }
      });
}

void DifferenceLine::describe(const Difference& difference) {
  const QString names =
      tr("%1 minus %2")
          .arg(QString::fromStdString(difference.other), QString::fromStdString(difference.shown));
  show(QStringLiteral("%1: %2").arg(names, difference.comparison
                                               ? differenceText(*difference.comparison)
                                               : errorText(difference.comparison.error())));
  offerDisagreements(difference);
}

void DifferenceLine::offerDisagreements(const Difference& difference) {
  const std::vector<bool>& rows = *difference.disagreements;
  const std::int64_t count = std::count(rows.begin(), rows.end(), true);
  disagreements_->setVisible(count > 0);
  disagreements_->setText(tr("Show %1 disagreements").arg(countText(count)));
  offered_ = {
      tr("predicted differently by %1").arg(QString::fromStdString(difference.other)).toStdString(),
      difference.disagreements};
}

}  // namespace dubito
