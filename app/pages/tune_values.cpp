// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/tune_values.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/pages/overview_values.h"
#include "app/panels/words.h"
#include "core/metrics/rank_names.h"
#include "widgets/plot_table.h"

namespace dubito {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("tune", text);
}

/// How a number is written and which way is better.
struct Kind {
  bool is_fraction = false;
  std::optional<bool> high_is_good;
};

QString valueText(double value, const Kind& kind) {
  if (std::isnan(value)) {
    return QStringLiteral("–");
  }
  return kind.is_fraction ? QStringLiteral("%1 %").arg(100.0 * value, 0, 'f', 2)
                          : QString::number(value, 'f', 4);
}

QString differenceOf(double difference, const Kind& kind) {
  if (std::isnan(difference)) {
    return QStringLiteral("–");
  }
  const QString text = valueText(std::abs(difference), kind);
  const bool nothing = text == valueText(0.0, kind);
  return nothing ? text : (difference < 0.0 ? QStringLiteral("−") : QStringLiteral("+")) + text;
}

void add(const QString& name, const QString& explanation, const Kind& kind,
         std::optional<double> before, std::optional<double> now, std::vector<Change>& changes) {
  if (!before || !now || (std::isnan(*before) && std::isnan(*now))) {
    return;
  }
  const double difference = *now - *before;
  Change change;
  change.name = name;
  change.before = valueText(*before, kind);
  change.now = valueText(*now, kind);
  change.difference = differenceOf(difference, kind);
  // A rounding error is neither better nor worse.
  if (kind.high_is_good && change.difference != valueText(0.0, kind) && !std::isnan(difference)) {
    change.sense =
        (difference > 0.0) == *kind.high_is_good ? Change::Sense::kBetter : Change::Sense::kWorse;
  }
  change.tooltip =
      QStringLiteral("%1\n%2 → %3").arg(explanation, exactText(*before), exactText(*now));
  changes.push_back(std::move(change));
}

std::optional<double> mistakes(const Evaluation& evaluation) {
  const auto found = evaluation.misclassified.find("entropy");
  return found == evaluation.misclassified.end() ? std::nullopt
                                                 : std::optional(found->second.rank.auroc);
}

std::optional<double> strangers(const OodEvaluation& ood) {
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
  add(tr("accuracy"), tr("share of labelled items that are right; higher is better"), {true, true},
      before.accuracy, now.accuracy, changes);
  add(tr("NLL (nats)"),
      tr("mean negative log likelihood of the true class, %1; lower is better")
          .arg(QString::fromStdString(now.nll_convention)),
      {false, false}, before.nll, now.nll, changes);
  add(tr("ECE"),
      tr("expected calibration error, %1 bins, L1, equal width, top-label; lower is better")
          .arg(now.ece_bins),
      {true, false}, before.ece, now.ece, changes);
  add(tr("Brier"),
      tr("mean squared distance to the true class, summed over classes; lower is better"),
      {false, false}, before.brier, now.brier, changes);
  add(tr("mean confidence"), tr("mean of the largest probability, of all items"), {true, {}},
      before.mmc, now.mmc, changes);
  add(QString::fromStdString(
          rankMetricName("AUROC", Ranking::kCorrectVsMisclassified, {}, "entropy")),
      tr("how well the entropy tells right from wrong predictions; ties count half; higher is "
         "better"),
      {false, true}, mistakes(before), mistakes(now), changes);
  for (std::size_t i = 0; i < std::min(before.ood.size(), now.ood.size()); ++i) {
    add(QString::fromStdString(
            rankMetricName("AUROC", Ranking::kInVsOod, now.ood[i].name, "entropy")),
        tr("how well the entropy tells these items from those in distribution; ties count half; "
           "higher is better"),
        {false, true}, strangers(before.ood[i]), strangers(now.ood[i]), changes);
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
           {tr("evidence"), tr("log"), landscape.evidence, false, true}}};
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
    steps << tr("first %1 of %2 draws").arg(*tuning.draws).arg(run.drawCount());
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
  return steps.isEmpty() ? tr("%1 as it is").arg(name)
                         : QStringLiteral("%1, %2").arg(name, steps.join(QStringLiteral(", ")));
}

QString itemsText(const TuneResult& result) {
  const std::int64_t all = result.basis->analysis->itemCount();
  const std::int64_t shown = result.stage->items->count;
  if (shown == all) {
    return tr("N %1").arg(countText(all));
  }
  return (result.moving ? tr("%1 of %2 items while dragging") : tr("%1 of %2 items"))
      .arg(countText(shown), countText(all));
}

HistogramPlotValue tunedHistogram(const TuneResult& result, Measure measure,
                                  const Session& session) {
  for (const Overview::ScoreHistograms& histograms : result.overview.histograms) {
    if (histograms.score == scoreName(measure)) {
      return histogramValue(histograms, session);
    }
  }
  return {};
}

}  // namespace dubito
