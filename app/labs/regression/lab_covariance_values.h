// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/labs/regression/regression_runner.h"
#include "widgets/covariance_plot.h"
#include "widgets/curve_plot.h"

namespace dubito {

/// The first method that has covariances of the data; nullptr if there is none.
[[nodiscard]] const RegressionRunner::Entry* covarianceEntryOf(const RegressionRunner& runner);

/// Unit of covariances of a quantity "CO2 (ppm)": "ppm²"; of one without a unit, "y": "y²".
[[nodiscard]] QString squaredUnit(const QString& y_label);

/// Which covariances of a FunctionCovariance are meant.
enum class CovarianceKind { kPrior, kPosterior };

/// Covariances of one kind over the axis of x; without values if there are none of this kind.
[[nodiscard]] CovariancePlotValue covarianceMatrixOf(const RegressionRunner& runner,
                                                     const FunctionCovariance& covariance,
                                                     CovarianceKind kind);

/// Number of the input at which the curves with `x` are drawn: the nearest one.
[[nodiscard]] std::size_t covarianceInput(const FunctionCovariance& covariance, double x);

/// Covariance of f at input `index` with f everywhere, of the prior and, if there are points, of
/// the posterior, in the style of `entry`. A disc marks the variance at the input.
[[nodiscard]] CurvePlotValue covarianceCurvesOf(const RegressionRunner& runner,
                                                const RegressionRunner::Entry& entry,
                                                std::size_t index);

}  // namespace dubito
