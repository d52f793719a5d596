// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/automatic/review_automatic_values.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/words/words.h"
#include "widgets/number_text.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

/// Of the y axis beyond what can be guaranteed, so that the line can be grabbed at its ends.
constexpr double kTargetMargin = 0.01;

struct SureWords {
  Measure measure;
  const char* words;
};
constexpr std::array kSureWords{
    SureWords{Measure::kConfidence, QT_TRANSLATE_NOOP("dubito", "how sure it is of its answer")},
    SureWords{Measure::kMargin, QT_TRANSLATE_NOOP("dubito", "its answer against the second best")},
    SureWords{Measure::kEntropy, QT_TRANSLATE_NOOP("dubito", "its doubt between all classes")},
    SureWords{Measure::kExpectedEntropy,
              QT_TRANSLATE_NOOP("dubito", "its doubt each time it answers")},
    SureWords{Measure::kMutualInformation,
              QT_TRANSLATE_NOOP("dubito", "how much its answers contradict")},
    SureWords{Measure::kVariationRatio,
              QT_TRANSLATE_NOOP("dubito", "how often it changes its answer")},
    SureWords{Measure::kVariance, QT_TRANSLATE_NOOP("dubito", "how much its answers vary")}};

QString timeText(std::int64_t images, std::optional<double> per_minute) {
  if (!per_minute) {
    return tr("known after a few decisions");
  }
  const double minutes = static_cast<double>(images) / *per_minute;
  return minutes < 1.0    ? tr("less than a minute")
         : minutes < 90.0 ? tr("about %1 min").arg(qRound(minutes))
                          : tr("about %1 h").arg(shortText(minutes / 60.0, 2));
}

/// Why decisions do not help: only a random sample shows how often suggestions are wrong.
QString notRandomText(const AutolabelPreview& preview) {
  return preview.not_random == 0 ? QString()
         : preview.not_random == 1
             ? QLatin1Char(' ') + tr("Only images drawn at random count: you decided 1 other.")
             : QLatin1Char(' ') + tr("Only images drawn at random count: you decided %1 others.")
                                      .arg(countText(preview.not_random));
}

/// What to do if there are too few images to show how often suggestions are wrong.
QString lowerShareText(const Autolabeller& labeller) {
  return labeller.isOfNetwork()
             ? tr("Choose a lower share of right labels, or open a run over other labelled images.")
             : tr("Choose a lower share of right labels.");
}

QString neededText(const Autolabeller& labeller, std::int64_t needed) {
  const QString target = percentText(labeller.target());
  if (const std::int64_t left = labeller.preview()->plan.queued; left < needed) {
    const QString few =
        left == 1
            ? tr("Only 1 image is left; %1 are needed.").arg(countText(needed))
            : tr("Only %1 images are left; %2 are needed.").arg(countText(left), countText(needed));
    return few + QLatin1Char(' ') + lowerShareText(labeller);
  }
  if (labeller.calibrationCount() == 0) {
    return tr("For a guarantee of %1, first review %2 images in random order: they show how often "
              "suggestions are wrong.")
        .arg(target, countText(needed));
  }
  return tr("For a guarantee of %1, review %2 more images in random order.")
      .arg(target, countText(needed));
}

/// The items that the threshold of a preview selects.
void addSelected(const Autolabeller& labeller, double threshold, std::vector<KeyValue>& values) {
  const Autolabel& plan = labeller.preview()->plan;
  const Selection& selection = plan.selection;
  const auto labelled = static_cast<double>(plan.labelled());
  const double share = plan.items > 0 ? labelled / static_cast<double>(plan.items) : 0.0;
  const double observed = selection.selected > 0 ? static_cast<double>(selection.errors) /
                                                       static_cast<double>(selection.selected)
                                                 : 0.0;
  const Measure measure = labeller.measure();
  values.push_back({tr("labelled automatically"),
                    tr("%1 of %2").arg(countText(plan.labelled()), countText(plan.items)),
                    QStringLiteral("· ") + shareText(share),
                    tr("Threshold: %1 at most %2 %3")
                        .arg(measureName(measure), shortText(threshold), measureUnit(measure))});
  values.push_back({tr("wrong labels to expect"),
                    tr("about %1").arg(countText(std::llround(observed * labelled))),
                    {},
                    tr("%1 of the %2 calibration images that the threshold selects are wrong")
                        .arg(countText(selection.errors), countText(selection.selected))});
  values.push_back({tr("wrong labels, at most"),
                    countText(std::llround(std::floor(plan.expectedErrors()))),
                    QStringLiteral("· ") + shareText(selection.upper_error),
                    tr("Upper bound, on average over images like these, except in 1 of %1 cases")
                        .arg(countText(std::llround(1.0 / labeller.delta())))});
}

/// How many images in random order each guarantee takes, so that one can be chosen.
void addNeeded(const AutolabelPreview& preview, std::vector<KeyValue>& values) {
  QStringList targets;
  QStringList counts;
  for (const auto& [target, needed] : preview.needed_for) {
    targets << QString::number(100.0 * target, 'g', 4);
    counts << (needed ? countText(*needed) : tr("not possible"));
  }
  const QString separator = QStringLiteral(" / ");
  values.push_back({tr("to review for %1 %").arg(targets.join(separator)), counts.join(separator),
                    tr("images"),
                    tr("Images in random order, in all, for each share of right labels")});
}

}  // namespace

QString percentText(double share) {
  return QStringLiteral("%1 %").arg(QString::number(100.0 * share, 'g', 4));
}

QString imagesText(std::int64_t count) {
  return countedText(count, tr("%1 image"), tr("%1 images"));
}

QString sureWords(Measure measure) {
  const auto* const found = std::ranges::find(kSureWords, measure, &SureWords::measure);
  return found == kSureWords.end() ? measureName(measure) : tr(found->words);
}

QString sourceText(const CalibrationSource& source) {
  if (!source.analysis) {
    return tr("images that you reviewed in random order");
  }
  const AnalysisPart& part = source.analysis->in();
  const QString name =
      tr("%1 on %2 (%3)")
          .arg(QString::fromStdString(source.analysis->name), QString::fromStdString(part.name),
               countText(part.run->itemCount()));
  return source.obstacle.isEmpty() ? name : tr("%1: not possible, %2").arg(name, source.obstacle);
}

QString unusableText(const std::vector<CalibrationSource>& sources) {
  const auto unusable = [](const CalibrationSource& one) { return !one.obstacle.isEmpty(); };
  const auto count = std::ranges::count_if(sources, unusable);
  if (count != 1) {
    return count == 0 ? QString()
                      : tr("%1 open runs cannot be used; the list says why.").arg(countText(count));
  }
  const CalibrationSource& first = *std::ranges::find_if(sources, unusable);
  return tr("%1 cannot be used: %2.")
      .arg(QString::fromStdString(first.analysis->name), first.obstacle);
}

std::int64_t stillNeeded(const Autolabeller& labeller) {
  const AutolabelPreview& preview = *labeller.preview();
  if (!labeller.usesReviewed() || !preview.items_needed ||
      *preview.items_needed > preview.plan.items) {
    return 0;
  }
  return std::max<std::int64_t>(*preview.items_needed - labeller.calibrationCount(), 1);
}

QString obstacleText(const Autolabeller& labeller) {
  const AutolabelPreview& preview = *labeller.preview();
  if (preview.plan.selection.threshold) {
    return {};
  }
  const QString target = percentText(labeller.target());
  if (!preview.items_needed) {
    return tr("%1 cannot be guaranteed: too many suggestions are wrong even among those with the "
              "best "
              "scores. Choose a lower share of right labels.")
        .arg(target);
  }
  if (!labeller.usesReviewed()) {
    return tr("%1 cannot be guaranteed: these %2 labelled images are too few, about %3 are needed. "
              "Choose a lower share, or a run over more images.")
        .arg(target, countText(labeller.calibrationCount()), countText(*preview.items_needed));
  }
  if (const std::int64_t needed = stillNeeded(labeller); needed > 0) {
    return neededText(labeller, needed) + notRandomText(preview);
  }
  const QString too_many =
      tr("%1 cannot be guaranteed: about %2 images would have to be reviewed, more than there are.")
          .arg(target, countText(*preview.items_needed));
  return too_many + QLatin1Char(' ') + lowerShareText(labeller);
}

QString guaranteeText(const Autolabeller& labeller) {
  const Autolabel& plan = labeller.preview()->plan;
  if (!plan.selection.threshold || plan.labelled() == 0) {
    return {};
  }
  const auto wrong = static_cast<std::int64_t>(plan.expectedErrors());
  return tr("At least %1 of these %2 labels will be right; if you did this %3 times, it could fail "
            "once.")
      .arg(countText(plan.labelled() - wrong), countText(plan.labelled()),
           countText(std::llround(1.0 / labeller.delta())));
}

std::vector<KeyValue> automaticNumbers(const Autolabeller& labeller,
                                       std::optional<double> per_minute) {
  const AutolabelPreview& preview = *labeller.preview();
  const Autolabel& plan = preview.plan;
  std::vector<KeyValue> values;
  if (plan.selection.threshold) {
    addSelected(labeller, *plan.selection.threshold, values);
  }
  if (!preview.needed_for.empty() && !plan.selection.threshold) {
    addNeeded(preview, values);
  }
  if (plan.labelled_before > 0) {
    values.push_back({tr("labelled automatically before"),
                      imagesText(plan.labelled_before),
                      {},
                      tr("Labels above the present threshold, which stay as they are")});
  }
  const bool chosen = plan.selection.threshold.has_value();
  values.push_back(
      {tr("left for you"), imagesText(plan.queued),
       chosen ? tr("· they are less certain") : QString(),
       chosen ? tr("With them, more labels would be wrong than the guarantee allows") : QString()});
  values.push_back({tr("time for these"), timeText(plan.queued, per_minute), {}, {}});
  if (preview.skipped > 0) {
    values.push_back({tr("skipped in random order"),
                      imagesText(preview.skipped),
                      {},
                      tr("They count as wrong until you decide about them, because leaving out "
                         "what is difficult would make the guarantee too good")});
  }
  return values;
}

CurvePlotValue retainedCurve(const Autolabeller& labeller) {
  const Curve& curve = labeller.preview()->accuracy_by_share;
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  StyledCurve shown{.curve = curve};
  shown.curve.name = tr("right labels").toStdString();
  shown.curve.summary = std::nan("");
  value.curves.push_back(std::move(shown));
  const Interval range{kTargetRange.low / 100.0, kTargetRange.high / 100.0};
  value.level = {.y = labeller.target(), .range = range, .name = tr("guaranteed")};
  const double lowest = curve.y.empty() ? range.low : std::ranges::min(curve.y);
  value.y_range = Interval{std::min(lowest, range.low) - kTargetMargin, 1.0 + kTargetMargin};
  value.x_label = tr("share labelled automatically");
  value.x_short = tr("labelled");
  value.y_label = tr("right labels");
  return value;
}

std::optional<QPointF> retainedPoint(const Autolabeller& labeller) {
  const Selection& selection = labeller.preview()->plan.selection;
  if (!selection.threshold || selection.selected == 0) {
    return std::nullopt;
  }
  const auto selected = static_cast<double>(selection.selected);
  return QPointF(selected / static_cast<double>(selection.items),
                 1.0 - static_cast<double>(selection.errors) / selected);
}

}  // namespace dubito
