// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/single/review_opinions.h"

#include <QDateTime>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "app/review/labels/decision_text.h"
#include "app/review/reviewer.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {

ReviewOpinions::ReviewOpinions(Reviewer& reviewer, QWidget* parent)
    : QWidget(parent), reviewer_(reviewer) {
  setObjectName(QStringLiteral("reviewOpinions"));
  title_ = new QLabel(tr("Said before"), this);
  title_->setProperty("role", QStringLiteral("title"));
  text_ = new WrappedLabel(this);
  text_->setObjectName(QStringLiteral("reviewOpinionsText"));
  text_->setTextFormat(Qt::PlainText);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGrid);
  layout->addWidget(title_);
  layout->addWidget(text_);
  connect(&reviewer_.file(), &LabelFile::opinionsRead, this, &ReviewOpinions::showRead);
  hide();
}

void ReviewOpinions::showItem() {
  const auto row = reviewer_.row();
  const std::int64_t item = row ? reviewer_.analysis()->in().run->ids.data()[*row] : -1;
  const PresentLabel* const known = row ? reviewer_.file().labelOf(item) : nullptr;
  const bool by_others = known != nullptr && known->origin == LabelOrigin::kPerson &&
                         (known->annotators > 1 ||
                          QString::fromStdString(known->annotator) != reviewer_.file().annotator());
  setVisible(by_others);
  if (!by_others) {
    return;
  }
  // A second opinion is worth little to somebody who knows the first.
  if (reviewer_.label() == nullptr || reviewer_.hidesSuggestion()) {
    text_->setText(tr("hidden until you decide"));
    return;
  }
  reviewer_.file().readOpinions(item);
}

void ReviewOpinions::showRead(std::int64_t item, const std::vector<Decision>& opinions) {
  const auto row = reviewer_.row();
  if (!row || reviewer_.analysis()->in().run->ids.data()[*row] != item || isHidden()) {
    return;  // of an image before
  }
  QStringList lines;
  for (const Decision& opinion : opinions) {
    lines << tr("%1: %2 · %3")
                 .arg(QString::fromStdString(opinion.annotator),
                      decisionText(reviewer_.file().classes(), opinion.action, opinion.class_id),
                      QLocale().toString(QDateTime::fromMSecsSinceEpoch(opinion.time_ms),
                                         QLocale::ShortFormat));
  }
  if (const QString majority = majorityText(opinions); !majority.isEmpty()) {
    lines << majority;
  }
  text_->setText(lines.join(u'\n'));
}

QString ReviewOpinions::majorityText(const std::vector<Decision>& opinions) const {
  std::map<QString, int> votes;
  int all = 0;
  for (const Decision& opinion : opinions) {
    if (settles(opinion.action)) {
      ++votes[decisionText(reviewer_.file().classes(), opinion.action, opinion.class_id)];
      ++all;
    }
  }
  if (all < 2) {
    return {};
  }
  const auto winner =
      std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
  return 2 * winner->second > all
             ? tr("%1 of %2 say “%3”").arg(winner->second).arg(all).arg(winner->first)
             : tr("No majority of %1").arg(all);
}

}  // namespace dubito
