// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/results/review_results_values.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/review/labels/reservation_holder.h"
#include "core/metrics/agreement.h"
#include "core/metrics/wilson_interval.h"
#include "widgets/number_text.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

/// More classes are listed by none.
constexpr std::size_t kListedClasses = 10;
constexpr double kMillisecondsPerSecond = 1000.0;

Change changeOf(const QString& name, const QString& short_name, double before, double now,
                const QString& tooltip) {
  Change change;
  change.name = name;
  change.short_name = short_name;
  change.before = shareText(before);
  change.now = shareText(now);
  change.difference = pointsText(now - before);
  change.tooltip = QStringLiteral("%1\n%2 → %3").arg(tooltip, exactText(before), exactText(now));
  return change;
}

/// Of labels that are the suggestions, after review.
std::vector<Change> scoresOfGiven(const LabelScores& reviewed, const QString& note) {
  const auto known = [&note](const QString& name, const QString& short_name, double share,
                             const QString& meaning) {
    Change change;
    change.name = name;
    change.short_name = short_name;
    change.before = change.difference = QStringLiteral("–");
    change.now = shareText(share);
    change.tooltip = QStringLiteral("%1. %2\n%3").arg(meaning, note, exactText(share));
    return change;
  };
  std::vector<Change> changes = {known(tr("labels that were right"), tr("right"), reviewed.accuracy,
                                       tr("Share of the labels of the program that you kept"))};
  if (!std::isnan(reviewed.ece)) {
    changes.push_back(known(tr("their scores were off by"), tr("off by"), reviewed.ece,
                            tr("Expected calibration error (ECE) of the scores (15 bins, L1, equal "
                               "width)")));
  }
  return changes;
}

QString decimals(double value) {
  return QString::number(value, 'f', 2);
}

/// A coefficient of agreement over so many images.
QString kappaText(const std::optional<double>& kappa, const std::optional<Interval>& interval,
                  std::int64_t images) {
  if (images < kFewestSharedItems) {
    return tr("too few images");
  }
  if (!kappa) {
    return tr("not defined");
  }
  // The normal approximation of an interval may go beyond what the coefficient can be.
  return interval ? tr("%1 (%2 to %3)")
                        .arg(decimals(*kappa), decimals(std::max(interval->low, -1.0)),
                             decimals(std::min(interval->high, 1.0)))
                  : decimals(*kappa);
}

/// "81.00 % of 40", with the 95 % interval in the tooltip.
KeyValue shareOf(const QString& name, std::int64_t part, std::int64_t all, const QString& tooltip) {
  if (all == 0) {
    return {name, QStringLiteral("–"), {}, tooltip};
  }
  const Interval interval = wilson95(part, all);
  return {name, shareText(static_cast<double>(part) / static_cast<double>(all)),
          tr("of %1").arg(countText(all)),
          tr("%1\n95 % interval (Wilson): %2 to %3")
              .arg(tooltip, shareText(interval.low), shareText(interval.high))};
}

QString ratioText(std::int64_t part, std::int64_t all) {
  return shareText(static_cast<double>(part) / static_cast<double>(all));
}

StyledCurve curveOf(const QString& name, std::vector<double> x, std::vector<double> y,
                    StyledCurve::Role role, int dash) {
  return {.curve = {.name = name.toStdString(),
                    .x = std::move(x),
                    .y = std::move(y),
                    .summary = std::nan("")},
          .dash = dash,
          .role = role};
}

CurvePlotValue plainCurves() {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.x_is_share = false;
  value.y_is_share = false;
  return value;
}

ResultCurve paceCurve(const ReviewPace& pace) {
  ResultCurve result{.value = plainCurves()};
  std::vector<double> x;
  std::vector<double> y;
  for (const RatePoint& point : pace.stretches) {
    x.push_back(static_cast<double>(point.decisions));
    y.push_back(point.per_minute);
  }
  result.value.x_label = tr("images decided");
  result.value.y_label = tr("decisions a minute");
  result.value.y_short = tr("a minute");
  result.line = tr("without undone decisions · without breaks of more than a minute");
  if (x.size() < 2) {
    result.empty = tr("The speed appears after a few decisions");
  }
  if (!std::isnan(pace.perMinute())) {
    result.figure = tr("%1 a minute").arg(shortText(pace.perMinute(), 3));
    result.tooltip = tr("%1 images in %2 min. Many at once: all images of a page in the time for "
                        "the page. A page may take two seconds for each image before it counts as "
                        "a break")
                         .arg(countText(pace.images), shortText(pace.spent_ms / 60'000.0, 3));
  }
  result.value.curves.push_back(
      curveOf(result.value.y_label, std::move(x), std::move(y), StyledCurve::Role::kRun, 0));
  return result;
}

}  // namespace

std::vector<Change> scoreChanges(const ReviewEffect& effect, bool are_given) {
  const QString accuracy = tr("Accuracy: share of the suggestions that are right");
  const QString ece = tr(
      "Expected calibration error (ECE): how far the confidence of the suggestions is from their "
      "accuracy (15 bins, L1, equal width)");
  const auto& [all_given, all_reviewed] = effect.all;
  const auto& [given, reviewed] = effect.compared_only;
  const QString all_note = tr("Over all %1 labelled images").arg(countText(all_given.items));
  const QString reviewed_note =
      tr("Over the %1 reviewed images. They are no random sample if doubtful ones came first.")
          .arg(countText(given.items));
  const QString joined = QStringLiteral("%1. %2");
  if (are_given) {
    return scoresOfGiven(reviewed, reviewed_note);
  }
  return {changeOf(tr("answers right"), tr("right"), all_given.accuracy, all_reviewed.accuracy,
                   joined.arg(accuracy, all_note)),
          changeOf(tr("too sure or too unsure by"), tr("sureness off by"), all_given.ece,
                   all_reviewed.ece, joined.arg(ece, all_note)),
          changeOf(tr("answers right, reviewed images"), tr("right, reviewed"), given.accuracy,
                   reviewed.accuracy, joined.arg(accuracy, reviewed_note)),
          changeOf(tr("too sure or unsure by, reviewed images"), tr("off by, reviewed"), given.ece,
                   reviewed.ece, joined.arg(ece, reviewed_note))};
}

QString suggestedText(const ReviewEffect& effect) {
  const SuggestedLabels& suggested = effect.suggested;
  if (suggested.labels == 0) {
    return {};
  }
  QString text =
      tr("%1 of your %2 labels are the suggestion.")
          .arg(ratioText(suggested.as_suggested, suggested.labels), countText(suggested.labels));
  if (suggested.hardly_seen > 0) {
    text += QLatin1Char(' ') +
            tr("%1 were accepted many at once or in less than a second, so perhaps nobody looked "
               "closely.")
                .arg(countText(suggested.hardly_seen));
  }
  const VisibilityEffect& shown = effect.shown;
  const VisibilityEffect& hidden = effect.hidden;
  if (hidden.decisions > 0) {
    text += QLatin1Char(' ') +
            tr("While it was hidden, %1 of %2 decisions agreed with it")
                .arg(ratioText(hidden.agreeing, hidden.decisions), countText(hidden.decisions));
    text += shown.decisions > 0
                ? tr("; in view, %1.").arg(ratioText(shown.agreeing, shown.decisions))
                : QStringLiteral(".");
  } else if (suggested.hardly_seen > 0) {
    text += QLatin1Char(' ') + tr("Hide the suggestion (H) for some images to check.");
  }
  return text;
}

ResultCurve foundCurve(const FoundErrors& found) {
  ResultCurve result{.value = plainCurves()};
  const bool nothing = found.reviewed.size() < 2;
  if (nothing) {
    result.empty = tr("Wrong labels appear here once images with a given label are reviewed");
  } else {
    result.empty = found.found.back() == 0 ? tr("No given label was wrong so far (%1 images "
                                                "reviewed)")
                                                 .arg(countText(found.reviewed.back()))
                                           : QString();
    result.figure = tr("%1 found").arg(countText(found.found.back()));
  }
  result.value.x_label = tr("images reviewed");
  result.value.y_label = tr("wrong labels found");
  result.value.y_short = tr("found");
  result.value.curves.push_back(curveOf(tr("found"), {found.reviewed.begin(), found.reviewed.end()},
                                        {found.found.begin(), found.found.end()},
                                        StyledCurve::Role::kRun, 0));
  result.line = tr("no estimate for random order");
  if (found.baseline == BaselineSource::kNone) {
    return result;
  }
  const auto last = static_cast<double>(found.reviewed.back());
  result.value.curves.push_back(curveOf(tr("random order"), {0.0, last},
                                        {0.0, last * found.share_at_random},
                                        StyledCurve::Role::kReference, 1));
  const bool counted = found.baseline == BaselineSource::kRandomOrder;
  result.line =
      (counted ? tr("random order: %1 wrong, counted") : tr("random order: %1 wrong, estimated"))
          .arg(shareText(found.share_at_random));
  result.tooltip = counted ? tr("Random order: share of wrong labels among the images that were "
                                "reviewed in random order")
                           : tr("Random order: estimated from the scores of the suggestions by "
                                "confident learning");
  return result;
}

ResultCurve courseCurve(const ReviewEffect& effect, ReviewCourse course) {
  if (course == ReviewCourse::kRate) {
    return paceCurve(effect.pace);
  }
  const bool is_time = course == ReviewCourse::kTime;
  ResultCurve result{.value = plainCurves()};
  result.value.y_is_share = !is_time;
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t decile = 0; decile < effect.deciles.size(); ++decile) {
    const DecileEffect& one = effect.deciles[decile];
    const double shown = is_time ? one.median_ms / kMillisecondsPerSecond : one.agreement;
    if (!std::isnan(shown)) {
      x.push_back(static_cast<double>(decile + 1));
      y.push_back(shown);
      result.decile_of_point.push_back(static_cast<int>(decile));
    }
  }
  result.value.x_label = tr("tenth of the images, 10: most uncertain");
  result.value.x_short = tr("tenth");
  result.value.y_label = is_time ? tr("usual time (s)") : tr("pairs of decisions that agree");
  result.value.y_short = is_time ? tr("time (s)") : tr("that agree");
  result.line = is_time
                    ? tr("from showing the image to the decision (median) · click: select these "
                         "images")
                    : tr("images that two or more persons decided · click: select these images");
  if (x.size() < 2) {
    result.empty = is_time ? tr("Too few decisions were timed yet")
                           : tr("Too few images have decisions of two persons yet");
  }
  result.value.curves.push_back(
      curveOf(result.value.y_label, std::move(x), std::move(y), StyledCurve::Role::kRun, 0));
  return result;
}

std::vector<KeyValue> agreementValues(const Ratings& ratings,
                                      const std::function<QString(std::int64_t)>& name_of) {
  std::vector<KeyValue> values;
  if (ratings.ratedTwice() == 0) {
    return values;
  }
  const FleissAgreement fleiss = fleissAgreement(ratings.ratings);
  values.push_back({tr("all persons"),
                    kappaText(fleiss.kappa, fleiss.interval95, fleiss.items),
                    {},
                    tr("Fleiss' kappa with its 95 % interval (jackknife), %1 images with %2 "
                       "decisions each: 1 complete agreement, 0 as by chance")
                        .arg(countText(fleiss.items))
                        .arg(fleiss.ratings_per_item)});
  for (std::size_t first = 0; first < ratings.annotators.size(); ++first) {
    for (std::size_t second = first + 1; second < ratings.annotators.size(); ++second) {
      const CohenAgreement pair = cohenAgreement(ratings.ratings[first], ratings.ratings[second]);
      if (pair.items > 0) {
        values.push_back({tr("%1 and %2")
                              .arg(QString::fromStdString(ratings.annotators[first]),
                                   QString::fromStdString(ratings.annotators[second])),
                          kappaText(pair.kappa, pair.interval95, pair.items),
                          {},
                          tr("Cohen's kappa with its 95 % interval, %1 images, %2 equal")
                              .arg(countText(pair.items), shareText(pair.observed))});
      }
    }
  }
  if (fleiss.by_class.size() <= kListedClasses) {
    for (const ClassAgreement& one : fleiss.by_class) {
      values.push_back({tr("class %1").arg(name_of(one.rating)),
                        kappaText(one.kappa, {}, fleiss.items),
                        {},
                        tr("Fleiss' kappa of this class against all others, %1 decisions")
                            .arg(countText(one.count))});
    }
  }
  return values;
}

KeyValue progressValue(const QString& name, const ClassProgress& progress) {
  return {name, tr("%1 of %2").arg(countText(progress.decided), countText(progress.items)),
          progress.changed > 0 ? tr("· %1 changed").arg(countText(progress.changed)) : QString(),
          tr("Images that came as %1: how many are decided, and how many of them as something else")
              .arg(name)};
}

std::vector<KeyValue> personValues(const std::vector<PersonSummary>& persons,
                                   const std::vector<Reserved>& reserved) {
  std::vector<KeyValue> values;
  for (const PersonSummary& person : persons) {
    const QString name = QString::fromStdString(person.annotator);
    QStringList counts{tr("%1 decided").arg(countText(person.settled))};
    if (person.skipped > 0) {
      counts << tr("%1 skipped").arg(countText(person.skipped));
    }
    if (person.flagged > 0) {
      counts << tr("%1 for somebody else").arg(countText(person.flagged));
    }
    values.push_back({name,
                      counts.join(QStringLiteral(", ")),
                      {},
                      tr("Images that %1 has decided, each counted once").arg(name)});
    const double pace = person.pace.perMinute();
    values.push_back({tr("    decisions a minute"),
                      std::isnan(pace) ? QStringLiteral("–") : shortText(pace, 3),
                      {},
                      tr("Without breaks of more than a minute")});
    const auto share = [&](const QString& what, std::int64_t part, std::int64_t all,
                           const QString& tooltip) {
      KeyValue value = shareOf(what, part, all, tooltip);
      if (all > 0 && all < kFewestSharedItems) {
        value.value = tr("too few");
      }
      values.push_back(std::move(value));
    };
    share(tr("    as others say"), person.agreeing, person.shared,
          tr("Of the images that others have decided as well: the newest decision of the others is "
             "the same"));
    share(tr("    overturned"), person.overturned, person.checked,
          tr("Of the images that somebody else decided later: decided differently"));
    std::int64_t held = 0;
    for (const Reserved& one : reserved) {
      held += personOf(one.holder) == name ? one.items : 0;
    }
    if (held > 0) {
      values.push_back({tr("    reserved now"),
                        countText(held),
                        {},
                        tr("Images that a window of %1 is about to show").arg(name)});
    }
  }
  return values;
}

std::vector<KeyValue> visibilityValues(const VisibilityEffect& shown,
                                       const VisibilityEffect& hidden) {
  const QString agreeing = tr("Decisions that are the suggestion");
  const QString wrong = tr("Decisions that differ from what most of at least three persons say");
  std::vector<KeyValue> values = {
      shareOf(tr("shown: as suggested"), shown.agreeing, shown.decisions, agreeing),
      shareOf(tr("hidden: as suggested"), hidden.agreeing, hidden.decisions, agreeing)};
  if (shown.judged + hidden.judged > 0) {
    values.push_back(shareOf(tr("shown: unlike the majority"), shown.wrong, shown.judged, wrong));
    values.push_back(
        shareOf(tr("hidden: unlike the majority"), hidden.wrong, hidden.judged, wrong));
  }
  return values;
}

}  // namespace dubito
