// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/overview_values.h"

#include <algorithm>
#include <cmath>

#include "app/words/glossary_entries.h"
#include "app/words/words.h"
#include "core/metrics/rank_names.h"
#include "core/models/guessed_preprocessing.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

/// Short enough for legends and column headers.
QString scoreColumn(const std::string& score) {
  const std::optional<Measure> measure = measureOfKey(score);
  return QString::fromStdString(measure ? describe(*measure).short_name : score);
}

/// For a narrow legend; empty if the name is already short.
QString scoreSymbol(const std::string& score) {
  return score == "confidence" ? tr("conf.") : score == "entropy" ? tr("H") : QString();
}

/// The curves of all items, then those of the selection with the same dash patterns.
void addCurves(const std::vector<Curve>& of_all, const std::vector<Curve>* of_selection,
               CurvePlotValue& value) {
  const bool selected = of_selection != nullptr && !of_selection->empty();
  const auto add = [&value](const Curve& curve, std::size_t dash, StyledCurve::Role role) {
    StyledCurve entry;
    entry.curve = curve;
    entry.curve.name = scoreColumn(curve.name).toStdString();
    entry.short_name = scoreSymbol(curve.name);
    if (role == StyledCurve::Role::kBackground) {
      entry.curve.name = tr("%1, all items").arg(scoreColumn(curve.name)).toStdString();
    }
    entry.dash = static_cast<int>(dash);
    entry.role = role;
    value.curves.push_back(std::move(entry));
  };
  for (std::size_t i = 0; i < of_all.size(); ++i) {
    add(of_all[i], i, selected ? StyledCurve::Role::kBackground : StyledCurve::Role::kRun);
  }
  if (!selected) {
    return;
  }
  value.summary_name = tr("%1, selection").arg(value.summary_name);
  for (const Curve& curve : *of_selection) {
    const auto same = std::ranges::find(of_all, curve.name, &Curve::name);
    add(curve, static_cast<std::size_t>(same - of_all.begin()), StyledCurve::Role::kSelection);
  }
}

/// Accuracy as a function of the retained share for an oracle, which rejects all mistakes first.
Curve oracleRejection(std::int64_t correct, std::int64_t misclassified) {
  Curve oracle;
  oracle.name = tr("oracle").toStdString();
  const double accuracy =
      static_cast<double>(correct) / static_cast<double>(correct + misclassified);
  oracle.x.push_back(0.0);
  oracle.y.push_back(1.0);
  // The accuracy stays 1 until only mistakes are left to retain.
  constexpr int kSteps = 50;
  for (int step = 0; step <= kSteps; ++step) {
    const double share = accuracy + (1.0 - accuracy) * step / kSteps;
    oracle.x.push_back(share);
    oracle.y.push_back(share > 0.0 ? accuracy / share : 1.0);
  }
  // The risk is 1 - a / x beyond the accuracy a; this is its integral.
  oracle.summary = (1.0 - accuracy) + (accuracy > 0.0 ? accuracy * std::log(accuracy) : 0.0);
  return oracle;
}

}  // namespace

QString provenance(const Analysis& analysis) {
  return provenance(analysis, analysis.in().run->itemCount(), true);
}

QString provenance(const Analysis& analysis, const ReliabilityDiagram& diagram, bool with_ood) {
  return provenance(analysis, diagram.total - (with_ood ? analysis.overview.ood : 0), with_ood);
}

QString rankingProvenance(const Analysis& analysis) {
  const Overview& overview = analysis.overview;
  return overview.ood > 0 ? provenance(analysis, overview.correct, true)
                          : rejectionProvenance(analysis);
}

QString rejectionProvenance(const Analysis& analysis) {
  return provenance(analysis, analysis.overview.correct + analysis.overview.misclassified, false);
}

QString provenance(const Analysis& analysis, std::int64_t items, bool with_ood) {
  QStringList names;
  QStringList counts;
  for (const AnalysisPart& part : analysis.parts) {
    const bool is_first = names.isEmpty();
    if (!is_first && !with_ood) {
      break;
    }
    names << QString::fromStdString(part.name);
    counts << countText(is_first ? items : part.run->itemCount());
  }
  // Predictions of another program are called like their file, which is their only dataset.
  QStringList parts{QString::fromStdString(analysis.name), names.join(QStringLiteral(" + ")),
                    tr("N %1").arg(counts.join(QStringLiteral(" + ")))};
  parts.removeDuplicates();
  const QString text = parts.join(QStringLiteral(" · "));
  return guessedPreprocessing(analysis.in().run->meta.notes).empty()
             ? text
             : tr("preprocessing guessed · %1").arg(text);
}

QString withSample(std::int64_t of, const QString& line) {
  return of == 0 ? line : tr("sample of %1 · %2").arg(countText(of), line);
}

std::function<bool(ItemGroup)> shownGroups(const Session& session) {
  return [&session](ItemGroup group) { return session.plots().groupVisible(group); };
}

HistogramPlotValue histogramValue(const Overview::ScoreHistograms& histograms,
                                  const std::function<bool(ItemGroup)>& is_shown) {
  HistogramPlotValue value;
  const auto add = [&](ItemGroup group, const Histogram& histogram) {
    if (histogram.total > 0 && is_shown(group)) {
      value.groups.push_back({groupName(group), groupColor(group), histogram});
    }
  };
  add(ItemGroup::kUnlabelled, histograms.unlabelled);
  add(ItemGroup::kCorrect, histograms.correct);
  add(ItemGroup::kMisclassified, histograms.misclassified);
  add(ItemGroup::kOod, histograms.ood);
  value.quantity = measureName(histograms.measure);
  value.x_label = QString::fromUtf8(describe(histograms.measure).axis_label);
  if (histograms.measure == Measure::kConfidence) {
    value.x_short = tr("max prob.");
  }
  return value;
}

std::vector<Histogram> selectedHistograms(const Analysis& analysis,
                                          const SelectionOverview& selection, Measure measure,
                                          const Session& session) {
  std::vector<Histogram> selected;
  for (std::size_t i = 0; i < analysis.overview.histograms.size(); ++i) {
    const Overview::ScoreHistograms& all = analysis.overview.histograms[i];
    if (all.measure != measure || i >= selection.histograms.size()) {
      continue;
    }
    const Overview::ScoreHistograms& part = selection.histograms[i];
    const auto add = [&](ItemGroup group, const Histogram& of_all, const Histogram& of_part) {
      if (of_all.total > 0 && session.plots().groupVisible(group)) {
        selected.push_back(of_part);
      }
    };
    add(ItemGroup::kUnlabelled, all.unlabelled, part.unlabelled);
    add(ItemGroup::kCorrect, all.correct, part.correct);
    add(ItemGroup::kMisclassified, all.misclassified, part.misclassified);
    add(ItemGroup::kOod, all.ood, part.ood);
  }
  return selected;
}

std::vector<MetricTableRow> selectionRows(const SelectionOverview& selection) {
  std::vector<MetricTableRow> rows;
  const auto add = [&rows](const QString& name, double value, const QString& text,
                           const QString& explanation, const QString& topic) {
    MetricTableRow row;
    row.group = tr("selection");
    row.name = name;
    row.value = value;
    row.value_text = text;
    row.explanation = explanation;
    row.topic = topic;
    rows.push_back(std::move(row));
  };
  add(tr("items"), static_cast<double>(selection.itemCount()), countText(selection.itemCount()),
      tr("Items selected in a plot; Esc clears the selection"), {});
  const std::int64_t labelled = selection.correct + selection.misclassified;
  const double accuracy = static_cast<double>(selection.correct) / static_cast<double>(labelled);
  if (labelled > 0) {
    add(tr("accuracy (%1 labelled)").arg(countText(labelled)), accuracy, shareText(accuracy),
        tr("Share of correct predictions among the %1 selected items with a label")
            .arg(countText(labelled)),
        helpTopicOf(Metric::kAccuracy));
    add(tr("ECE (%1 labelled)").arg(countText(labelled)), selection.reliability.ece,
        shareText(selection.reliability.ece),
        tr("Calibration error of the selected items: %1")
            .arg(QString::fromStdString(selection.reliability.convention)),
        helpTopicOf(Metric::kEce));
  }
  add(tr("mean confidence"), selection.mmc, shareText(selection.mmc),
      tr("Mean maximum probability of the selected items, including OOD"),
      helpTopicOf(Metric::kMmc));
  return rows;
}

CurvePlotValue rocWithoutCurves(const Overview& overview) {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kRoc;
  value.summary_name = QString::fromStdString(rankMetricName(
      "AUROC", overview.ood > 0 ? Ranking::kCorrectVsOod : Ranking::kCorrectVsMisclassified));
  value.x_label = tr("false positive rate");
  value.y_label = tr("true positive rate");
  value.x_short = tr("FPR");
  value.y_short = tr("TPR");
  return value;
}

CurvePlotValue rocValue(const Overview& overview, const SelectionOverview* selection) {
  CurvePlotValue value = rocWithoutCurves(overview);
  addCurves(overview.roc, selection != nullptr ? &selection->roc : nullptr, value);
  return value;
}

CurvePlotValue precisionRecallValue(const Overview& overview, const SelectionOverview* selection) {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kPrecisionRecall;
  value.summary_name = tr("AP");
  value.baseline = overview.positive_share;
  value.x_label = tr("recall");
  value.y_label = tr("precision");
  value.y_short = tr("prec.");
  addCurves(overview.precision_recall,
            selection != nullptr ? &selection->precision_recall : nullptr, value);
  if (selection != nullptr && !selection->precision_recall.empty()) {
    value.baseline = selection->positive_share;
  }
  return value;
}

CurvePlotValue rejectionWithoutCurves() {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.summary_name = tr("AURC");
  value.x_label = tr("share retained");
  value.y_label = tr("accuracy on retained items");
  value.x_short = tr("retained");
  value.y_short = tr("acc.");
  return value;
}

CurvePlotValue reliabilityWithoutCurves() {
  CurvePlotValue value;
  // Both axes are shares, and the diagonal is the ideal.
  value.kind = CurvePlotValue::Kind::kRoc;
  value.summary_name = tr("ECE");
  value.summary_is_share = true;
  value.x_label = tr("mean confidence");
  value.y_label = tr("accuracy");
  return value;
}

CurvePlotValue rejectionValue(const Overview& overview, const SelectionOverview* selection) {
  CurvePlotValue value = rejectionWithoutCurves();
  addCurves(overview.rejection, selection != nullptr ? &selection->rejection : nullptr, value);
  if (overview.rejection.empty()) {
    return value;
  }
  const bool selected = selection != nullptr && !selection->rejection.empty();
  const std::int64_t correct = selected ? selection->correct : overview.correct;
  const std::int64_t wrong = selected ? selection->misclassified : overview.misclassified;
  StyledCurve oracle;
  oracle.curve = oracleRejection(correct, wrong);
  oracle.dash = 3;
  oracle.role = StyledCurve::Role::kReference;
  value.curves.push_back(std::move(oracle));
  value.baseline = static_cast<double>(correct) / static_cast<double>(correct + wrong);
  return value;
}

std::vector<MetricTableRow> tableRows(const Evaluation& evaluation) {
  std::vector<MetricTableRow> rows;
  for (const MetricRow& row : toRows(evaluation)) {
    MetricTableRow shown;
    shown.group = QString::fromStdString(row.group);
    shown.name = QString::fromStdString(row.name);
    shown.score = scoreColumn(row.score);
    shown.explanation = QString::fromStdString(row.explanation);
    shown.topic = QString::fromStdString(row.topic);
    shown.value = row.value;
    if (const qsizetype bracket = shown.name.indexOf(QStringLiteral(" ("));
        bracket > 0 && shown.name.endsWith(u')')) {
      shown.explanation += QLatin1Char('\n') + shown.name;
      shown.name.truncate(bracket);
    }
    if (shown.name == QLatin1String("FPR at 95 % TPR")) {
      shown.explanation += QLatin1Char('\n') + shown.name;
      shown.name = tr("FPR95");
    }
    if (row.is_count) {
      shown.value_text = countText(static_cast<std::int64_t>(row.value));
    } else if (row.is_fraction) {
      shown.value_text = shareText(row.value);
    } else {
      shown.value_text = scoreText(row.value);
    }
    rows.push_back(std::move(shown));
  }
  return rows;
}

}  // namespace dubito
