// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/samples/lab_samples_values.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/number_text.h"

namespace dubito {
namespace {

QString samplesTr(const char* text) {
  return QCoreApplication::translate("Labs", text);
}

constexpr double kMicroseconds = 1e6;
/// Below it, an error bar would reach 0, which a logarithmic axis cannot show.
constexpr double kLowestBar = 0.05;

/// Colours repeat after four curves, then with other dashes.
int dashOf(std::size_t number) {
  return static_cast<int>((number + number / 4) % 4);
}

/// The moments of moment matching come from an integral, not from a formula.
bool isFormula(const ApproximationWorth& worth) {
  return worth.key != kMomentMatching;
}

CurvePlotValue emptyWorthPlot(const QString& x_label) {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.x_is_share = false;
  value.y_is_share = false;
  value.x_is_logarithmic = true;
  value.y_is_logarithmic = true;
  value.x_label = x_label;
  value.y_label = samplesTr("KL from the truth (nats)");
  value.y_short = samplesTr("KL (nats)");
  value.interval_name = samplesTr("± 1 standard error");
  return value;
}

/// The mean over the replicates against x = factor * number of samples.
StyledCurve estimates(const SampleWorthResult& result, double factor) {
  StyledCurve curve;
  curve.curve.name = samplesTr("samples").toStdString();
  curve.curve.summary = std::nan("");
  curve.run = 0;
  bool has_errors = true;
  for (std::size_t i = 0; i < result.mean.size(); ++i) {
    const double mean = result.mean[i];
    const double error = result.standard_error[i];
    curve.curve.x.push_back(factor * static_cast<double>(result.counts[i]));
    curve.curve.y.push_back(mean);
    curve.intervals.push_back({std::max(mean - error, kLowestBar * mean), mean + error});
    has_errors &= std::isfinite(error);
  }
  if (!has_errors) {
    curve.intervals.clear();
  }
  return curve;
}

StyledCurve levelCurve(const QString& name, double y, double from, double to, std::size_t number) {
  StyledCurve curve;
  curve.curve.name = name.toStdString();
  curve.curve.summary = std::nan("");
  curve.curve.x = {from, to};
  curve.curve.y = {y, y};
  curve.run = static_cast<int>(number) + 1;
  curve.dash = dashOf(number + 1);
  return curve;
}

StyledCurve truthError(const SampleWorthResult& result, double from, double to) {
  StyledCurve curve = levelCurve(samplesTr("error of the truth"), result.truth_error, from, to, 0);
  curve.role = StyledCurve::Role::kReference;
  curve.dash = 2;
  return curve;
}

CompareTableValue::Cell worthCell(const ApproximationWorth& worth,
                                  const std::vector<std::int64_t>& counts) {
  const SampleCrossing& crossing = worth.crossing;
  switch (crossing.kind) {
    case SampleCrossing::Kind::kBeforeFirst:
      return {samplesTr("< %1").arg(countText(counts.front()))};
    case SampleCrossing::Kind::kAfterLast:
      return {samplesTr("> %1").arg(countText(counts.back())), static_cast<double>(counts.back())};
    case SampleCrossing::Kind::kFound:
      break;
  }
  return {samplesTr("%1 (%2 to %3)")
              .arg(shortText(crossing.samples), shortText(crossing.range.low),
                   shortText(crossing.range.high)),
          crossing.samples, exactText(crossing.samples)};
}

}  // namespace

CurvePlotValue worthBySamples(const WorthPicture& picture) {
  const SampleWorthResult& result = picture.result;
  CurvePlotValue value = emptyWorthPlot(samplesTr("number of samples"));
  if (result.mean.empty()) {
    return value;
  }
  const auto from = static_cast<double>(result.counts.front());
  const auto to = static_cast<double>(result.counts.back());
  value.curves.push_back(estimates(result, 1.0));
  for (std::size_t i = 0; i < result.approximations.size(); ++i) {
    const ApproximationWorth& worth = result.approximations[i];
    value.curves.push_back(
        levelCurve(QString::fromStdString(worth.key), worth.divergence, from, to, i));
  }
  value.curves.push_back(truthError(result, from, to));
  return value;
}

CurvePlotValue worthByTime(const WorthPicture& picture) {
  const SampleWorthResult& result = picture.result;
  CurvePlotValue value = emptyWorthPlot(samplesTr("time on this machine (µs)"));
  value.x_short = samplesTr("time (µs)");
  if (result.mean.empty() || !(picture.times.seconds_per_sample > 0.0)) {
    return value;
  }
  const double per_sample = kMicroseconds * picture.times.seconds_per_sample;
  const double end = per_sample * static_cast<double>(result.counts.back());
  value.curves.push_back(estimates(result, per_sample));
  for (std::size_t i = 0; i < result.approximations.size(); ++i) {
    const double time = kMicroseconds * picture.times.seconds_of_approximations[i];
    if (time > 0.0) {
      const ApproximationWorth& worth = result.approximations[i];
      value.curves.push_back(
          levelCurve(QString::fromStdString(worth.key), worth.divergence, time, end, i));
    }
  }
  return value;
}

CompareTableValue worthTable(const WorthPicture& picture) {
  const SampleWorthResult& result = picture.result;
  CompareTableValue table;
  table.row_heading = samplesTr("closed form");
  table.columns = {
      {samplesTr("KL (nats)"), samplesTr("Divergence of the closed form from the truth"), false},
      {samplesTr("Worth in samples"),
       samplesTr("Number of samples whose estimate is as near to the truth, and the same for the "
                 "curve plus and minus its standard error"),
       true},
      {samplesTr("Time (µs)"), samplesTr("To compute it once, on this machine"), false},
      {samplesTr("Samples in that time"),
       samplesTr("How many samples are drawn and counted in the same time"), false}};
  for (std::size_t i = 0; i < result.approximations.size(); ++i) {
    const ApproximationWorth& worth = result.approximations[i];
    CompareTableValue::Row row;
    row.name = QString::fromStdString(worth.key);
    row.detail = QString::fromStdString(worth.help);
    row.run = static_cast<int>(i) + 1;
    row.dash = dashOf(i + 1);
    row.cells.push_back(
        {shortText(worth.divergence), worth.divergence, exactText(worth.divergence)});
    const auto addRow = [&] {
      // The sentence above the plots and the best of each column are of the same rows.
      for (CompareTableValue::Cell& cell : row.cells) {
        cell.items = isFormula(worth) ? 0 : 1;
        if (!isFormula(worth)) {
          cell.tooltip += samplesTr(
              " · from an integral over the true distribution, not a formula: "
              "not ranked");
        }
      }
      table.rows.push_back(std::move(row));
    };
    const double seconds = picture.times.seconds_of_approximations[i];
    if (result.mean.empty()) {
      row.cells.resize(table.columns.size());
    } else {
      row.cells.push_back(worthCell(worth, result.counts));
      const double samples = seconds / picture.times.seconds_per_sample;
      for (const double number : {kMicroseconds * seconds, samples}) {
        row.cells.push_back(
            std::isfinite(number)
                ? CompareTableValue::Cell{shortText(number, 2), number, exactText(number)}
                : CompareTableValue::Cell{QStringLiteral("–")});
      }
    }
    addRow();
  }
  return table;
}

QString worthSentence(const WorthPicture& picture) {
  const SampleWorthResult& result = picture.result;
  if (result.mean.empty() || result.approximations.empty()) {
    return {};
  }
  const auto form = std::ranges::min_element(result.approximations, {}, [](const auto& one) {
    return isFormula(one) && !std::isnan(one.divergence) ? one.divergence
                                                         : std::numeric_limits<double>::infinity();
  });
  QString text = samplesTr("The nearest closed form: %1")
                     .arg(QString::fromStdString(worthText(*form, result.counts)));
  const auto index = static_cast<std::size_t>(form - result.approximations.begin());
  const double samples =
      picture.times.seconds_of_approximations[index] / picture.times.seconds_per_sample;
  if (std::isfinite(samples)) {
    text += samplesTr("; it is computed in the time of %1 samples").arg(shortText(samples, 2));
  }
  text += u'.';
  if (form->divergence < result.truth_error) {
    text += samplesTr(" Its divergence is below the error of the truth: take more true samples.");
  }
  return text;
}

QString worthCaption(const WorthPicture& picture) {
  QStringList parts{QString::fromStdString(picture.result.description)};
  parts << samplesTr("truth: %1 samples").arg(countText(picture.result.truth_samples));
  parts << samplesTr("%1 replicates").arg(countText(picture.result.replicates));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace dubito
