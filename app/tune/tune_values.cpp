// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tune/tune_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/explore/overview_values.h"
#include "app/words/words.h"
#include "core/metrics/metric_info.h"
#include "core/metrics/rank_names.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

QString valueText(double value, const MetricInfo& kind) {
  return kind.is_fraction ? shareText(value) : scoreText(value);
}

QString differenceOf(double difference, const MetricInfo& kind) {
  if (std::isnan(difference)) {
    return QStringLiteral("–");
  }
  if (kind.is_fraction) {
    return pointsText(difference);
  }
  const QString text = QString::number(std::abs(difference), 'f', 4);
  const bool nothing = text == QLatin1String("0.0000");
  return nothing ? text : (difference < 0.0 ? QStringLiteral("−") : QStringLiteral("+")) + text;
}

/// `convention`: see explain().
void add(const QString& name, Metric metric, std::optional<double> before,
         std::optional<double> now, std::vector<Change>& changes,
         const std::string& convention = {}) {
  const MetricInfo& kind = describe(metric);
  if (!before || !now || (std::isnan(*before) && std::isnan(*now))) {
    return;
  }
  const double difference = *now - *before;
  Change change;
  change.name = name;
  change.before = valueText(*before, kind);
  change.now = valueText(*now, kind);
  change.difference = differenceOf(difference, kind);
  // Differences at rounding level are neither better nor worse.
  if (kind.high_is_good && change.difference != differenceOf(0.0, kind) &&
      !std::isnan(difference)) {
    change.verdict = (difference > 0.0) == *kind.high_is_good ? Change::Verdict::kBetter
                                                              : Change::Verdict::kWorse;
  }
  change.tooltip = QStringLiteral("%1\n%2 → %3")
                       .arg(QString::fromStdString(explain(metric, convention)), exactText(*before),
                            exactText(*now));
  changes.push_back(std::move(change));
}

std::optional<double> aurocOfMistakes(const Evaluation& evaluation) {
  const auto found = evaluation.misclassified.find("entropy");
  return found == evaluation.misclassified.end() ? std::nullopt
                                                 : std::optional(found->second.rank.auroc);
}

std::optional<double> aurocOfOod(const OodEvaluation& ood) {
  const auto found = ood.in_vs_ood.find("entropy");
  return found == ood.in_vs_ood.end() ? std::nullopt : std::optional(found->second.auroc);
}

LandscapeCurve eceCurve(std::vector<double> shares) {
  for (double& share : shares) {
    share *= 100.0;
  }
  return {tr("ECE"), QStringLiteral("%"), std::move(shares), true, false};
}

}  // namespace

std::vector<Change> tuneChanges(const Evaluation& before, const Evaluation& now) {
  std::vector<Change> changes;
  for (const Metric metric : allMetrics()) {
    const MetricInfo& info = describe(metric);
    if (!info.is_tuned || !isOfSet(metric)) {
      continue;
    }
    const QString name = metric == Metric::kNll   ? tr("NLL (nats)")
                         : metric == Metric::kMmc ? tr("mean confidence")
                                                  : QString::fromUtf8(info.symbol);
    add(name, metric, valueOf(before, metric), valueOf(now, metric), changes,
        metric == Metric::kNll ? now.nll_convention : conventionOf(metric, now.ece_bins));
  }
  const auto addRanking = [&](Ranking ranking, const std::string& ood, const QString& short_name,
                              std::optional<double> of_before, std::optional<double> of_now) {
    const std::size_t count = changes.size();
    add(QString::fromStdString(rankMetricName("AUROC", ranking, ood)), Metric::kAuroc, of_before,
        of_now, changes, "by entropy");
    if (changes.size() > count) {
      changes.back().short_name = short_name;
    }
  };
  addRanking(Ranking::kCorrectVsMisclassified, {}, tr("AUROC, mistake detection"),
             aurocOfMistakes(before), aurocOfMistakes(now));
  for (std::size_t i = 0; i < std::min(before.ood.size(), now.ood.size()); ++i) {
    const std::string& name = now.ood[i].name;
    addRanking(Ranking::kInVsOod, name, tr("AUROC %1").arg(QString::fromStdString(name)),
               aurocOfOod(before.ood[i]), aurocOfOod(now.ood[i]));
  }
  return changes;
}

LandscapeValue landscapeValue(const TemperatureLandscape& landscape) {
  return {tr("temperature T"),
          landscape.log10_temperature,
          {{tr("NLL"), tr("nats"), landscape.nll, true, false}, eceCurve(landscape.ece)}};
}

LandscapeValue landscapeValue(const PriorLandscape& landscape) {
  return {tr("prior precision τ"),
          landscape.log10_tau,
          {{tr("NLL"), tr("nats"), landscape.nll, true, false},
           eceCurve(landscape.ece),
           {tr("log evidence"), tr("nats"), landscape.evidence, false, true}}};
}

QString temperatureText(double temperature) {
  return QString::number(temperature, 'g', 4);
}

QString tuningText(const TuneResult& result) {
  const RunTuning& tuning = result.tuning;
  const Analysis& analysis = *result.basis->analysis;
  const Run& run = *analysis.in().run;
  QStringList steps;
  if (tuning.draws && *tuning.draws != run.drawCount()) {
    steps << tr("first %1 of %2 draws").arg(countText(*tuning.draws), countText(run.drawCount()));
  }
  if (tuning.link && *tuning.link != linkOf(run)) {
    steps << tr("link %1").arg(QString::fromStdString(*tuning.link));
  }
  if (tuning.tau && tuning.tau != tauOf(run)) {
    steps << tr("prior %1").arg(temperatureText(*tuning.tau));
  }
  if (tuning.temperature != 1.0) {
    steps << tr("temperature %1").arg(temperatureText(tuning.temperature));
  }
  const QString name = QString::fromStdString(analysis.name);
  return steps.isEmpty() ? tr("%1 as computed").arg(name)
                         : QStringLiteral("%1, %2").arg(name, steps.join(QStringLiteral(", ")));
}

QString tuneCaption(const TuneResult& result, bool with_ood) {
  const Analysis& analysis = *result.basis->analysis;
  const TuneItems& items = *result.stage->items;
  const std::int64_t all =
      with_ood ? analysis.itemCount() : analysis.overview.correct + analysis.overview.misclassified;
  const std::int64_t shown = with_ood ? items.count : items.labelled;
  QStringList names;
  for (const AnalysisPart& part : analysis.parts) {
    if (names.isEmpty() || with_ood) {
      names << QString::fromStdString(part.name);
    }
  }
  const QString count =
      shown == all ? tr("N %1").arg(countText(all))
                   : (result.moving ? tr("%1 of %2 items while dragging") : tr("%1 of %2 items"))
                         .arg(countText(shown), countText(all));
  return QStringLiteral("%1 · %2 · %3")
      .arg(tuningText(result), names.join(QStringLiteral(" + ")), count);
}

HistogramPlotValue tunedHistogram(const TuneResult& result, Measure measure,
                                  const Session& session) {
  for (const Overview::ScoreHistograms& histograms : result.overview.histograms) {
    if (histograms.measure == measure) {
      return histogramValue(histograms, shownGroups(session));
    }
  }
  return {};
}

}  // namespace dubito
