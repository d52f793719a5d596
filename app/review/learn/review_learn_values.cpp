// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/learn/review_learn_values.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/decisions/clopper_pearson.h"
#include "core/train/head/held_out_trials.h"
#include "widgets/number_text.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr double kLearnConfidence = 0.95;

double shareRight(const RightCount& count) {
  return static_cast<double>(count.right) / static_cast<double>(count.items);
}

bool isBefore(const LearningRound& one, const LearningRound& other) {
  return std::pair(one.time_ms, one.labels) < std::pair(other.time_ms, other.labels);
}

}  // namespace

QString labelsCount(std::int64_t count) {
  return countedText(count, tr("%1 label"), tr("%1 labels"));
}

QString rightText(const RightCount& count) {
  const Interval interval = clopperPearson(count.right, count.items, kLearnConfidence);
  return tr("%1 of %2 (%3 to %4)")
      .arg(shareText(shareRight(count)), countText(count.items), shareText(interval.low),
           shareText(interval.high));
}

QString stageText(const std::string& stage) {
  struct Named {
    const char* stage;
    const char* text;
  };
  constexpr Named kStages[] = {
      {"computing features", QT_TRANSLATE_NOOP("dubito", "Looking at the labelled images")},
      {kTrialsStage, QT_TRANSLATE_NOOP("dubito", "Checking itself on labels held out")},
      {kTrainingHeadStage, QT_TRANSLATE_NOOP("dubito", "Learning")}};
  for (const Named& named : kStages) {
    if (stage == named.stage) {
      return tr(named.text);
    }
  }
  return tr("Looking at all images with what it has learned");
}

StyledCurve learningCurve(const QString& name, const std::vector<LearningRound>& rounds,
                          RightCount LearningRound::*counted, int run, int dash) {
  StyledCurve styled;
  styled.run = run;
  styled.dash = dash;
  styled.curve.name = name.toStdString();
  styled.curve.summary = std::nan("");
  for (const LearningRound& round : rounds) {
    const RightCount& count = round.*counted;
    if (count.items > 0) {
      styled.curve.x.push_back(static_cast<double>(round.labels));
      styled.curve.y.push_back(shareRight(count));
      styled.intervals.push_back(clopperPearson(count.right, count.items, kLearnConfidence));
    }
  }
  return styled;
}

const QString& heldOutTip() {
  static const QString tip = tr(
      "Each label was held out once: the network predicted the image before it had learned "
      "its label. The images that you label are more doubtful than most, so about all images it is "
      "right more often.\nIn brackets: exact 95 % interval (Clopper–Pearson), 5-fold "
      "cross-validation");
  return tip;
}

const QString& givenTip() {
  static const QString tip = tr(
      "How often the network agrees with the labels that came with the images, on all images that "
      "you have not labelled.\nIn brackets: exact 95 % interval (Clopper–Pearson)");
  return tip;
}

const LearningRound& newestRound(const std::vector<LearningRound>& rounds) {
  return *std::ranges::max_element(rounds, isBefore);
}

QString verdictText(const std::vector<LearningRound>& rounds) {
  if (rounds.size() < 2) {
    return {};
  }
  std::vector<LearningRound> sorted = rounds;
  std::ranges::sort(sorted, isBefore);
  const RightCount& before = sorted[sorted.size() - 2].held_out;
  const RightCount& now = sorted.back().held_out;
  if (before.items == 0 || now.items == 0) {
    return {};
  }
  const Interval range_before = clopperPearson(before.right, before.items, kLearnConfidence);
  const Interval range_now = clopperPearson(now.right, now.items, kLearnConfidence);
  const QString counts = tr("right about %1 of the labels held out, before about %2")
                             .arg(shareText(shareRight(now)), shareText(shareRight(before)));
  return range_now.low > range_before.high ? tr("The network has become better: %1.").arg(counts)
         : range_now.high < range_before.low
             ? tr("The network has become worse: %1. Check the labels, or choose the run before in "
                  "the "
                  "workspace.")
                   .arg(counts)
             : tr("The network is about as good as before: %1. More labels will show a difference.")
                   .arg(counts);
}

}  // namespace dubito
