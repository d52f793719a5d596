// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/simplex/lab_simplex_values.h"

#include <algorithm>
#include <cmath>

#include "app/labs/lab_values.h"
#include "core/labs/simplex/beta_figure.h"

namespace dubito {
namespace {

constexpr std::int64_t kSamplesShown = 300;
constexpr std::int64_t kLinePoints = 240;
/// A density above this share of the exact one's is cut, so that a pole does not flatten the rest.
constexpr double kRoomAbove = 1.6;

Triple asTriple(const std::vector<double>& values) {
  return {values[0], values[1], values[2]};
}

std::array<QString, 3> corners() {
  return {labText("class 1"), labText("class 2"), labText("class 3")};
}

/// The samples as a density, as the outline of a histogram.
Curve sampleDensity(const Histogram& histogram) {
  Curve curve;
  for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
    const double width = histogram.edges[bin + 1] - histogram.edges[bin];
    for (const double edge : {histogram.edges[bin], histogram.edges[bin + 1]}) {
      curve.x.push_back(edge);
      curve.y.push_back(histogram.share(bin) / width);
    }
  }
  return curve;
}

double highestOf(const Curve& curve) {
  double highest = 0.0;
  for (const double y : curve.y) {
    highest = std::isfinite(y) ? std::max(highest, y) : highest;
  }
  return highest;
}

/// The exact density of the logit of class 1, from that of its probability.
Curve densityOfLogit(const Curve& line) {
  Curve curve;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    const double p = line.x[i];
    curve.x.push_back(std::log(p / (1.0 - p)));
    curve.y.push_back(line.y[i] * p * (1.0 - p));
  }
  return curve;
}

CurvePlotValue densityPlot(const QString& x_label, std::vector<StyledCurve> curves,
                           double highest) {
  CurvePlotValue value = linePlot(x_label, labText("density"));
  value.y_range = Interval{0.0, highest > 0.0 ? 1.05 * highest : 1.0};
  value.curves = std::move(curves);
  return value;
}

QString listOf(const std::vector<std::size_t>& classes) {
  QStringList texts;
  for (const std::size_t k : classes) {
    texts << QString::number(k + 1);
  }
  const QString list = texts.join(QStringLiteral(", "));
  return texts.size() == 1 ? labText("class %1").arg(list) : labText("classes %1").arg(list);
}

QString changeText(const TransformEffect& effect) {
  constexpr double kNoChange = 1e-7;
  const QString name = effect.variant == BridgeVariant::kCentred ? labText("Centring")
                       : effect.variant == BridgeVariant::kConditioned
                           ? labText("Conditioning on a zero sum")
                           : labText("Conditioning and normalising");
  if (effect.largest_mean_change < kNoChange && effect.largest_variance_change < kNoChange) {
    return labText("%1 does not change the distribution.").arg(name);
  }
  QString text = labText("%1 changes mean probabilities by up to %2 and variances by up to %3")
                     .arg(name, shortText(effect.largest_mean_change, 2),
                          shortText(effect.largest_variance_change, 2));
  if (effect.total_variation) {
    text += labText("; total variation %1").arg(shareText(*effect.total_variation));
  }
  return text + u'.';
}

}  // namespace

QString numbersOf(const std::vector<double>& values) {
  QStringList texts;
  for (const double value : values) {
    texts << shortText(value);
  }
  return texts.join(QStringLiteral(", "));
}

QString approximationName(const LogitApproximation& form) {
  return QString::fromStdString(form.key);
}

SimplexValue exactTriangle(const SimplexResult& result) {
  SimplexValue value;
  value.corners = corners();
  value.density = result.density;
  value.mean = asTriple(result.moments.mean);
  const std::int64_t draws = std::min(result.samples.extent(0), kSamplesShown);
  for (std::int64_t i = 0; i < draws; ++i) {
    const auto row = result.samples.row(i);
    value.draws.push_back({row[0], row[1], row[2]});
  }
  if (result.histogram) {
    value.counts = result.histogram->counts;
  }
  return value;
}

SimplexValue dirichletTriangle(const SimplexResult& result, std::size_t index) {
  const SimplexApproximation& approximation = result.approximations[index];
  SimplexValue value;
  value.corners = corners();
  value.density = approximation.density;
  value.mean = asTriple(approximation.form.mean);
  return value;
}

CurvePlotValue probabilityLines(const SimplexResult& result, std::size_t index) {
  const std::vector<double>& alpha = result.approximations[index].alpha;
  double highest = result.line ? highestOf(*result.line) : 0.0;
  std::vector<StyledCurve> curves;
  if (result.line) {
    curves.push_back(styledCurve(labText("exact"), 0, 0, *result.line));
  }
  if (!alpha.empty()) {
    const BetaFigure figure = betaFigure(alpha[0], alpha[1], kLinePoints);
    curves.push_back(styledCurve(labText("Beta"), 1, 1, figure.beta));
    if (figure.laplace) {
      curves.push_back(styledCurve(labText("Gaussian at its mode"), 2, 2, *figure.laplace));
    }
    highest = std::max(highest, std::min(highestOf(figure.beta), kRoomAbove * highest));
  }
  if (result.line_histogram) {
    const Curve samples = sampleDensity(*result.line_histogram);
    highest = std::max(highest, highestOf(samples));
    curves.push_back(styledCurve(labText("samples"), -1, 0, samples));
    curves.back().role = StyledCurve::Role::kReference;
  }
  return densityPlot(labText("probability of class 1"), std::move(curves), highest);
}

CurvePlotValue logitLines(const SimplexResult& result, std::size_t index) {
  const std::vector<double>& alpha = result.approximations[index].alpha;
  double highest = 0.0;
  std::vector<StyledCurve> curves;
  if (result.line) {
    const Curve exact = densityOfLogit(*result.line);
    highest = highestOf(exact);
    curves.push_back(styledCurve(labText("exact (a Gaussian)"), 0, 0, exact));
  }
  if (!alpha.empty()) {
    const BetaFigure figure = betaFigure(alpha[0], alpha[1], kLinePoints);
    curves.push_back(styledCurve(labText("Beta"), 1, 1, figure.beta_of_logit));
    curves.push_back(styledCurve(labText("Gaussian at its mode"), 2, 2, figure.laplace_of_logit));
    highest =
        std::max({highest, highestOf(figure.beta_of_logit), highestOf(figure.laplace_of_logit)});
  }
  return densityPlot(labText("logit of class 1: ln p₁/p₂"), std::move(curves), highest);
}

QString approximationCaption(const SimplexResult& result, std::size_t index) {
  const SimplexApproximation& approximation = result.approximations[index];
  if (approximation.alpha.empty()) {
    return labText("only a mean, no distribution");
  }
  QStringList parts{labText("α = %1").arg(numbersOf(approximation.alpha))};
  if (const auto& comparison = approximation.comparison) {
    parts << labText("KL %1 nats").arg(shortText(comparison->divergence))
          << labText("total variation %1").arg(shareText(comparison->total_variation));
  }
  return captionOf(parts);
}

CompareTableValue approximationTable(const SimplexResult& result, std::size_t shown) {
  CompareTableValue table;
  table.row_heading = labText("approximation");
  table.columns = {
      {labText("α"), labText("Parameters of the Dirichlet"), std::nullopt},
      {labText("KL(p‖Dir)"),
       labText("Kullback–Leibler divergence of the Dirichlet from the exact distribution p, by "
               "quadrature, in nats"),
       false},
      {labText("from samples"),
       labText("The same divergence estimated from the samples, ± its standard error"),
       std::nullopt},
      {labText("KL(Dir‖p)"), labText("The reverse divergence, in nats"), false},
      {labText("TV (%)"),
       labText("Total variation: the largest difference of the probabilities that both give to "
               "a region, in percent"),
       false},
      {labText("mean error"), labText("Largest difference of a class's mean probability"), false}};
  for (std::size_t i = 0; i < result.approximations.size(); ++i) {
    const SimplexApproximation& approximation = result.approximations[i];
    CompareTableValue::Row row;
    row.name = approximationName(approximation.form);
    row.detail = QString::fromStdString(approximation.form.help);
    row.run = static_cast<int>(i);
    row.dash = dashOf(i);
    row.shown = i == shown;
    CompareTableValue::Cell alpha = emptyCell();
    if (!approximation.alpha.empty()) {
      QStringList exact;
      for (const double a : approximation.alpha) {
        exact << exactText(a);
      }
      alpha = {numbersOf(approximation.alpha), std::nan(""), exact.join(QStringLiteral(", "))};
    }
    const auto& comparison = approximation.comparison;
    CompareTableValue::Cell sampled = emptyCell();
    if (approximation.sampled_divergence) {
      sampled = numberCell(*approximation.sampled_divergence);
      sampled.text = spreadText(sampled.value, approximation.sampled_divergence_error, 0);
    }
    // Moment matching takes over the mean, up to rounding.
    constexpr double kRounding = 1e-12;
    row.cells = {alpha,
                 comparison ? finiteCell(comparison->divergence) : emptyCell(),
                 sampled,
                 finiteCell(approximation.reverse_divergence.value_or(std::nan(""))),
                 comparison ? finiteCell(100.0 * comparison->total_variation) : emptyCell(),
                 finiteCell(approximation.mean_error < kRounding ? 0.0 : approximation.mean_error)};
    table.rows.push_back(std::move(row));
  }
  return table;
}

QString transformText(const SimplexResult& result) {
  QStringList lines;
  for (const TransformEffect& effect : result.transforms) {
    lines << changeText(effect);
  }
  return lines.join(u'\n');
}

QString propositionText(const SimplexResult& result) {
  const auto raw = std::ranges::find_if(result.approximations, [](const auto& approximation) {
    return approximation.form.bridge == BridgeVariant::kRaw;
  });
  if (raw == result.approximations.end()) {
    return {};
  }
  std::vector<std::size_t> inside;
  std::vector<std::size_t> outside;
  std::vector<std::size_t> against;  // outside, and the variance of the bridge falls
  for (std::size_t k = 0; k < raw->proposition1.size(); ++k) {
    const ClassInProposition1& row = raw->proposition1[k];
    (row.is_in_region ? inside : outside).push_back(k);
    if (!row.is_in_region && row.slope < 0.0) {
      against.push_back(k);
    }
  }
  QStringList lines;
  if (!inside.empty()) {
    lines << labText(
                 "Proposition 1 holds for %1: under bridge-raw, more variance of the logit "
                 "gives more variance of the probability.")
                 .arg(listOf(inside));
  }
  if (!outside.empty()) {
    lines << labText("Outside its region: %1, where α is below the bound.").arg(listOf(outside));
  }
  if (!against.empty()) {
    lines << labText("There, more variance of the logit makes bridge-raw more certain: %1.")
                 .arg(listOf(against));
  }
  return lines.join(u'\n');
}

}  // namespace dubito
