// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_curve_values.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "app/review/automatic/review_automatic_values.h"
#include "app/study/study_table_values.h"
#include "core/study/study_headline.h"
#include "core/study/study_tables.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

QString toText(const std::string& text) {
  return QString::fromStdString(text);
}

/// Severity and position of the targets of a shift, mildest first.
std::vector<std::pair<double, std::size_t>> severitiesOf(const StudyFolder& study,
                                                         const std::string& shift) {
  std::vector<std::pair<double, std::size_t>> found;
  for (std::size_t i = 0; i < study.targets.size(); ++i) {
    const StudyTarget& target = study.targets[i];
    if (target.severity && std::ranges::find(target.shifts, shift) != target.shifts.end()) {
      found.emplace_back(*target.severity, i);
    }
  }
  std::ranges::sort(found);
  return found;
}

void addPoint(double x, const SeedStatistics& value, StyledCurve& curve) {
  if (value.n == 0 || std::isnan(value.mean)) {
    return;
  }
  const double spread = std::isnan(value.std_dev) ? 0.0 : value.std_dev;
  curve.curve.x.push_back(x);
  curve.curve.y.push_back(value.mean);
  curve.intervals.push_back({value.mean - spread, value.mean + spread});
  curve.curve.summary = value.mean;
}

CurvePlotValue severityPlot(const std::string& shift) {
  CurvePlotValue plot;
  plot.kind = CurvePlotValue::Kind::kGeneric;
  plot.x_is_share = false;
  plot.x_label = tr("severity of %1").arg(toText(shift));
  plot.summary_name = tr("at highest severity");
  plot.interval_name = tr("± standard deviation");
  return plot;
}

/// The row with the best mean of a column over the targets of a shift.
std::size_t bestRow(const StudyFolder& study, const std::string& shift, std::size_t column) {
  const double sign = studyColumns()[column].high_is_good ? 1.0 : -1.0;
  const auto severities = severitiesOf(study, shift);
  std::size_t best = 0;
  double best_sum = -std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < study.rows.size(); ++row) {
    double sum = 0.0;
    for (const auto& [severity, target] : severities) {
      const StudyCell* const cell = study.cellAt(row, target);
      sum += cell == nullptr ? kNan : sign * meanOf(cell->columns[column]);
    }
    if (sum > best_sum) {
      best = row;
      best_sum = sum;
    }
  }
  return best;
}

}  // namespace

std::vector<std::string> studyShifts(const StudyFolder& study) {
  std::vector<std::string> shifts;
  for (const StudyTarget& target : study.targets) {
    for (const std::string& shift : target.shifts) {
      if (std::ranges::find(shifts, shift) == shifts.end() &&
          severitiesOf(study, shift).size() > 1) {
        shifts.push_back(shift);
      }
    }
  }
  return shifts;
}

CurvePlotValue studyCurves(const StudyFolder& study, const std::string& shift, std::size_t column,
                           int selected) {
  CurvePlotValue plot = severityPlot(shift);
  const bool is_share = isShareColumn(studyColumns()[column].key);
  plot.y_is_share = is_share;
  plot.summary_is_share = is_share;
  plot.y_label =
      toText(columnTitle(studyColumns()[column], study.score_misclassified, study.score_ood));
  const bool all = study.rows.size() <= kColouredRows;
  const std::size_t best = bestRow(study, shift, column);
  const auto severities = severitiesOf(study, shift);
  for (std::size_t row = 0; row < study.rows.size(); ++row) {
    StyledCurve curve;
    curve.curve.name = studyRowText(study, row).toStdString();
    curve.curve.summary = kNan;
    curve.run = studyRowStyle(row).run;
    curve.dash = studyRowStyle(row).dash;
    for (const auto& [severity, target] : severities) {
      if (const StudyCell* const cell = study.cellAt(row, target)) {
        addPoint(severity, cell->columns[column], curve);
      }
    }
    const bool is_coloured = all || row == best || static_cast<int>(row) == selected ||
                             study.rows[row].name() == study.baseline;
    if (!is_coloured) {
      curve.role = StyledCurve::Role::kBackground;
      curve.intervals.clear();
    }
    if (curve.curve.x.empty()) {
      continue;
    }
    // Later curves are in front.
    const auto place = is_coloured ? plot.curves.end() : plot.curves.begin();
    plot.curves.insert(place, std::move(curve));
  }
  return plot;
}

std::vector<StudyGuarantee> studyGuarantees(const StudyFolder& study) {
  std::vector<StudyGuarantee> guarantees;
  for (const StudyCell& cell : study.results.cells) {
    for (const StudyLabelling& one : cell.labelling) {
      if (std::ranges::find(guarantees, one.guaranteed, &StudyGuarantee::guaranteed) ==
          guarantees.end()) {
        guarantees.push_back({one.guaranteed, false});
        guarantees.push_back({one.guaranteed, true});
      }
    }
  }
  return guarantees;
}

QString guaranteeTitle(const StudyGuarantee& guarantee) {
  return (guarantee.is_share ? tr("Labelled at %1") : tr("Right labels at %1"))
      .arg(percentText(guarantee.guaranteed));
}

CurvePlotValue guaranteeCurves(const StudyFolder& study, const std::string& shift, std::size_t row,
                               const StudyGuarantee& guarantee) {
  CurvePlotValue plot = severityPlot(shift);
  plot.summary_is_share = true;
  plot.y_label = guarantee.is_share ? tr("labelled") : tr("right");
  if (!guarantee.is_share) {
    plot.baseline = guarantee.guaranteed;
  }
  const auto severities = severitiesOf(study, shift);
  for (int rule = 0; rule < kLabellingRules; ++rule) {
    StyledCurve curve;
    curve.curve.name = nameOf(static_cast<LabellingRule>(rule));
    curve.short_name = QLatin1String(keyOf(static_cast<LabellingRule>(rule)));
    curve.curve.summary = kNan;
    curve.run = rule;
    curve.dash = rule;
    for (const auto& [severity, target] : severities) {
      const StudyCell* const cell = study.cellAt(row, target);
      if (cell == nullptr) {
        continue;
      }
      for (const StudyLabelling& one : cell->labelling) {
        if (one.rule == static_cast<LabellingRule>(rule) &&
            one.guaranteed == guarantee.guaranteed) {
          addPoint(severity, guarantee.is_share ? one.share : one.kept, curve);
        }
      }
    }
    if (!curve.curve.x.empty()) {
      plot.curves.push_back(std::move(curve));
    }
  }
  return plot;
}

BrokenGuarantees brokenGuarantees(const StudyFolder& study, std::size_t row, double guaranteed) {
  struct Count {
    int broken = 0;
    int all = 0;
  };
  std::map<LabellingRule, Count> counts;
  for (const StudyCell& cell : study.results.cells) {
    for (const StudyLabelling& one : cell.labelling) {
      if (cell.row == row && one.guaranteed == guaranteed && one.kept.n > 0) {
        counts[one.rule].all += 1;
        counts[one.rule].broken += isBroken(one) ? 1 : 0;
      }
    }
  }
  BrokenGuarantees result;
  QStringList lines{tr("Targets on which fewer labels are right than guaranteed:")};
  for (const auto& [rule, count] : counts) {
    const QString text =
        tr("%1: %2 of %3 broken").arg(QLatin1String(keyOf(rule))).arg(count.broken).arg(count.all);
    lines << text;
    if (rule == LabellingRule::kSource) {
      result.headline = text;
    }
  }
  result.detail = counts.empty() ? QString() : lines.join(QLatin1Char('\n'));
  return result;
}

}  // namespace dubito
