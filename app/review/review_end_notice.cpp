// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/review_end_notice.h"

#include <utility>

#include "app/review/reviewer.h"
#include "widgets/number_text.h"

namespace dubito {

ReviewEndNotice::ReviewEndNotice(Reviewer& reviewer, QWidget* parent)
    : ReviewNotice(QStringLiteral("reviewEnd"), parent), reviewer_(reviewer) {
  connect(this, &ReviewNotice::dismissed, this, [this] { closed_ = true; });
}

void ReviewEndNotice::follow(const std::function<std::vector<Choice>()>& next) {
  const QueueStage stage = reviewer_.stage();
  if (stage == QueueStage::kAtWork) {
    hide();
    return;
  }
  const bool put_off = stage == QueueStage::kEnd && !reviewer_.progress().putOff().empty();
  const Told now{reviewer_.reviewQueue().number(), stage, put_off};
  if (told_ != now) {
    told_ = now;
    closed_ = false;
  }
  if (closed_) {
    return;
  }
  std::vector<Choice> choices;
  if (put_off) {
    choices.push_back({QStringLiteral("putOff"), tr("Decide what you skipped"), [this] {
                         reviewer_.moveToPutOff();
                         dismiss();
                       }});
  }
  for (Choice& choice : next()) {
    choices.push_back(std::move(choice));
  }
  setCloseText(reviewer_.keys().withKey(stage == QueueStage::kRest ? tr("Go on") : tr("Close"),
                                        ReviewCommand::kCancel));
  QStringList names;
  for (const Choice& choice : choices) {
    names << choice.name;
  }
  const QString text = stageText(stage);
  if (text != this->text() || names != names_) {
    names_ = names;
    tell(text, choices);
  }
  show();
}

QString ReviewEndNotice::stageText(QueueStage stage) const {
  const Queue& queue = reviewer_.queue();
  if (stage == QueueStage::kRest) {
    const QString name = QString::fromStdString(queue.first_part_name);
    return tr("You have been through the %1 (%2). The images that follow are less likely to need "
              "another label.")
        .arg(name, countText(*queue.first_part));
  }
  if (queue.length() == 0) {
    const std::int64_t items = reviewer_.analysis()->in().run->itemCount();
    const std::int64_t decided = reviewer_.decidedInRun();
    return decided == items
               ? countedText(items, tr("The only image is decided."),
                             tr("All %1 images are decided."))
               : tr("Nothing is left to decide in this list; %1 of all %2 images are decided.")
                     .arg(countText(decided), countText(items));
  }
  const QueueProgress& progress = reviewer_.progress();
  QStringList parts = {tr("%1 decided").arg(countText(reviewer_.decidedCount()))};
  const auto add = [&parts](std::int64_t count, const QString& text) {
    if (count > 0) {
      parts << text.arg(countText(count));
    }
  };
  add(progress.skippedCount(), tr("%1 skipped"));
  add(progress.flaggedCount(), tr("%1 for somebody else"));
  add(reviewer_.takenCount(), tr("%1 with others"));
  return tr("You have reached the end of this list: %1.").arg(parts.join(QStringLiteral(", ")));
}

}  // namespace dubito
