// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/samples/lab_samples_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/labs/lab_values.h"

namespace dubito {
namespace {

constexpr double kMicroseconds = 1e6;
/// Below it, an error bar would reach 0, which a logarithmic axis cannot show.
constexpr double kLowestBar = 0.05;

/// The moments of moment matching come from an integral, not from a formula.
bool isFormula(const ApproximationWorth& worth) {
  return worth.key != kMomentMatching;
}

CurvePlotValue emptyWorthPlot(const QString& x_label) {
  CurvePlotValue value = linePlot(x_label, labText("KL from the truth (nats)"));
  value.x_is_logarithmic = true;
  value.y_is_logarithmic = true;
  value.y_short = labText("KL (nats)");
  value.interval_name = labText("± 1 standard error");
  return value;
}

/// The mean over the replicates against x = factor * number of samples.
StyledCurve estimates(const SampleWorthResult& result, double factor) {
  StyledCurve curve = styledCurve(labText("samples"), 0, 0);
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

StyledCurve levelCurve(const ApproximationWorth& worth, double from, double to, std::size_t i) {
  return styledCurve(QString::fromStdString(worth.key), static_cast<int>(i) + 1, dashOf(i + 1),
                     {{}, {from, to}, {worth.divergence, worth.divergence}});
}

StyledCurve truthError(const SampleWorthResult& result, double from, double to) {
  StyledCurve curve = styledCurve(labText("error of the truth"), 1, 2,
                                  {{}, {from, to}, {result.truth_error, result.truth_error}});
  curve.role = StyledCurve::Role::kReference;
  return curve;
}

CompareTableValue::Cell worthCell(const ApproximationWorth& worth,
                                  const std::vector<std::int64_t>& counts) {
  const SampleCrossing& crossing = worth.crossing;
  switch (crossing.kind) {
    case SampleCrossing::Kind::kBeforeFirst:
      return {labText("< %1").arg(countText(counts.front()))};
    case SampleCrossing::Kind::kAfterLast:
      return {labText("> %1").arg(countText(counts.back())), static_cast<double>(counts.back())};
    case SampleCrossing::Kind::kFound:
      break;
  }
  return {labText("%1 (%2 to %3)")
              .arg(shortText(crossing.samples), shortText(crossing.range.low),
                   shortText(crossing.range.high)),
          crossing.samples, exactText(crossing.samples)};
}

}  // namespace

CurvePlotValue worthBySamples(const WorthPicture& picture) {
  const SampleWorthResult& result = picture.result;
  CurvePlotValue value = emptyWorthPlot(labText("number of samples"));
  if (result.mean.empty()) {
    return value;
  }
  const auto from = static_cast<double>(result.counts.front());
  const auto to = static_cast<double>(result.counts.back());
  value.curves.push_back(estimates(result, 1.0));
  for (std::size_t i = 0; i < result.approximations.size(); ++i) {
    value.curves.push_back(levelCurve(result.approximations[i], from, to, i));
  }
  value.curves.push_back(truthError(result, from, to));
  return value;
}

CurvePlotValue worthByTime(const WorthPicture& picture) {
  const SampleWorthResult& result = picture.result;
  CurvePlotValue value = emptyWorthPlot(labText("time on this machine (µs)"));
  value.x_short = labText("time (µs)");
  if (result.mean.empty() || !(picture.times.seconds_per_sample > 0.0)) {
    return value;
  }
  const double per_sample = kMicroseconds * picture.times.seconds_per_sample;
  const double end = per_sample * static_cast<double>(result.counts.back());
  value.curves.push_back(estimates(result, per_sample));
  for (std::size_t i = 0; i < result.approximations.size(); ++i) {
    const double time = kMicroseconds * picture.times.seconds_of_approximations[i];
    if (time > 0.0) {
      value.curves.push_back(levelCurve(result.approximations[i], time, end, i));
    }
  }
  return value;
}

CompareTableValue worthTable(const WorthPicture& picture) {
  const SampleWorthResult& result = picture.result;
  CompareTableValue table;
  table.row_heading = labText("closed form");
  table.columns = {
      {labText("KL (nats)"), labText("Divergence of the closed form from the truth"), false},
      {labText("Worth in samples"),
       labText("Number of samples whose estimate is as near to the truth, and the same for the "
               "curve plus and minus its standard error"),
       true},
      {labText("Time (µs)"), labText("To compute it once, on this machine"), false},
      {labText("Samples in that time"),
       labText("How many samples are drawn and counted in the same time"), false}};
  for (std::size_t i = 0; i < result.approximations.size(); ++i) {
    const ApproximationWorth& worth = result.approximations[i];
    CompareTableValue::Row row;
    row.name = QString::fromStdString(worth.key);
    row.detail = QString::fromStdString(worth.help);
    row.run = static_cast<int>(i) + 1;
    row.dash = dashOf(i + 1);
    const double seconds = picture.times.seconds_of_approximations[i];
    row.cells.push_back(numberCell(worth.divergence));
    if (!result.mean.empty()) {
      row.cells.push_back(worthCell(worth, result.counts));
      row.cells.push_back(finiteCell(kMicroseconds * seconds, 2));
      row.cells.push_back(finiteCell(seconds / picture.times.seconds_per_sample, 2));
    }
    row.cells.resize(table.columns.size());
    if (!isFormula(worth)) {
      // The sentence above the plots and the best of each column are of the same rows.
      for (CompareTableValue::Cell& cell : row.cells) {
        cell.items = 1;
        cell.tooltip += labText(
            " · from an integral over the true distribution, not a formula: "
            "not ranked");
      }
    }
    table.rows.push_back(std::move(row));
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
  QString text = labText("The nearest closed form: %1")
                     .arg(QString::fromStdString(worthText(*form, result.counts)));
  const auto index = static_cast<std::size_t>(form - result.approximations.begin());
  const double samples =
      picture.times.seconds_of_approximations[index] / picture.times.seconds_per_sample;
  if (std::isfinite(samples)) {
    text += labText("; it is computed in the time of %1 samples").arg(shortText(samples, 2));
  }
  text += u'.';
  if (form->divergence < result.truth_error) {
    text += labText(" Its divergence is below the error of the truth: take more true samples.");
  }
  return text;
}

QString worthCaption(const WorthPicture& picture) {
  return captionOf({QString::fromStdString(picture.result.description),
                    labText("truth: %1 samples").arg(countText(picture.result.truth_samples)),
                    labText("%1 replicates").arg(countText(picture.result.replicates))});
}

}  // namespace dubito
