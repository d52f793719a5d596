// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/lab_covariance_values.h"

#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "app/labs/lab_method_values.h"

namespace dubito {
namespace {

QString covarianceLabel(const RegressionRunner& runner) {
  return labText("covariance (%1)").arg(squaredUnit(QString::fromStdString(runner.data().y_label)));
}

/// Row `index` of a matrix of covariances over their inputs.
Curve rowOf(const FunctionCovariance& covariance, const Array<double>& values, std::size_t index) {
  const auto row = values.row(static_cast<std::int64_t>(index));
  return {{}, covariance.x, {row.begin(), row.end()}, 0.0};
}

}  // namespace

const RegressionRunner::Entry* covarianceEntryOf(const RegressionRunner& runner) {
  const auto& entries = runner.entries();
  const auto found = std::ranges::find_if(entries, [&runner](const auto& entry) {
    return hasValidPicture(runner, entry) && entry.picture->covariance.has_value();
  });
  return found == entries.end() ? nullptr : &*found;
}

QString squaredUnit(const QString& y_label) {
  static const QRegularExpression kUnit(QStringLiteral("\\(([^()]+)\\)\\s*$"));
  const QRegularExpressionMatch unit = kUnit.match(y_label);
  const QString name = unit.hasMatch() ? unit.captured(1) : y_label;
  // "m/s" squared is not "m/s²".
  static const QRegularExpression kSimple(QStringLiteral("^[\\w%°]+$"),
                                          QRegularExpression::UseUnicodePropertiesOption);
  return kSimple.match(name).hasMatch() ? name + QStringLiteral("²")
                                        : QStringLiteral("(%1)²").arg(name);
}

CovariancePlotValue covarianceMatrixOf(const RegressionRunner& runner,
                                       const FunctionCovariance& covariance, CovarianceKind kind) {
  return {.values = kind == CovarianceKind::kPrior ? covariance.prior : covariance.posterior,
          .range = {covariance.x.front(), covariance.x.back()},
          .x_label = QString::fromStdString(runner.data().x_label),
          .quantity = covarianceLabel(runner)};
}

std::size_t covarianceInput(const FunctionCovariance& covariance, double x) {
  return nearestInput({covariance.x.front(), covariance.x.back()}, std::ssize(covariance.x), x);
}

CurvePlotValue covarianceCurvesOf(const RegressionRunner& runner,
                                  const RegressionRunner::Entry& entry, std::size_t index) {
  const FunctionCovariance& covariance = *entry.picture->covariance;
  CurvePlotValue value =
      linePlot(QString::fromStdString(runner.data().x_label), covarianceLabel(runner));
  value.y_short = labText("cov.");
  const auto add = [&](const QString& name, int dash, const Array<double>& values) {
    StyledCurve curve = styledCurve(name, entry.style, dash, rowOf(covariance, values, index));
    curve.mark = QPointF(curve.curve.x[index], curve.curve.y[index]);
    value.curves.push_back(std::move(curve));
  };
  add(labText("prior"), 1, covariance.prior);
  value.curves.back().role = StyledCurve::Role::kReference;
  if (!covariance.posterior.empty()) {
    add(labText("posterior"), 0, covariance.posterior);
  }
  return value;
}

}  // namespace dubito
