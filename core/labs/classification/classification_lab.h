// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/iso_lines.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/labs/classification/class_method.h"
#include "core/labs/data/class_data.h"
#include "core/labs/data/class_sets.h"
#include "core/labs/methods/method_lab.h"

namespace dubito {

/// What all methods of the laboratory share, so that their results can be compared.
struct ClassificationLabOptions {
  ClassSetOptions set = {};
  /// Sides of the shown square over those of the data's, 1 to 10.
  double zoom = 1.0;
  std::int64_t grid = 100;      ///< cells per side of a map
  std::int64_t max_draws = 50;  ///< largest number of draws per prediction
  std::int64_t borders = 8;     ///< functions whose borders are drawn

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// Bins of reliability diagrams: a few hundred points fill no more.
inline constexpr std::int64_t kLabReliabilityBins = 10;

/// How good the probabilities are on points with known classes, and what is believed far away.
struct ClassScores {
  double accuracy = 0.0;
  double nll = 0.0;              ///< mean -log p of the true class, in nats
  double mean_confidence = 0.0;  ///< mean largest probability
  /// Of the largest probability, in kLabReliabilityBins bins of equal width.
  ReliabilityDiagram reliability = {};
  /// Mean largest probability on the circle with ten times the radius of the shown square.
  double far_confidence = 0.0;
};

/// What the laboratory shows of one method at one moment. Immutable. The cells of a map are in rows
/// of `side`, the first row at the lowest x2.
struct ClassPicture : MethodPicture {
  std::int64_t side = 0;
  Interval x1;  ///< shown range, in the units of the data
  Interval x2;
  ClassPrediction prediction;  ///< at the centres of the cells, M = side^2
  /// Where the most likely class of the prediction changes, in the units of the data.
  std::vector<Polyline> border;
  /// The same of single functions; empty for methods that have none.
  std::vector<std::vector<Polyline>> function_borders;
  ClassScores scores;
};

/// One method at work on one dataset.
class ClassificationLab : public MethodLab<ClassData, ClassLearner> {
 public:
  /// kInvalidArgument for invalid data, or as ClassMethod::start().
  [[nodiscard]] static Expected<ClassificationLab> start(const ClassData& data,
                                                         const ClassMethod& method,
                                                         std::uint64_t seed);

  /// Maps, borders and scores of the current state; zoom, grid, max_draws and borders of `options`
  /// count.
  [[nodiscard]] Expected<ClassPicture> picture(const ClassificationLabOptions& options,
                                               RunContext& context) const;

 private:
  using MethodLab::MethodLab;
  [[nodiscard]] Status score(const ClassificationLabOptions& options, ClassPicture& picture,
                             RunContext& context) const;
  [[nodiscard]] Status addBorders(const ClassificationLabOptions& options,
                                  std::span<const double> inputs, ClassPicture& picture,
                                  RunContext& context) const;
};

/// Where the largest of the values of a row [M, K] changes, M = side^2 cells, as lines over [0,
/// 1]^2. A border between two classes other than the last comes twice. Only where some cell next to
/// the line has a class that leads the others by more than `least_lead`: elsewhere no class is the
/// most likely one but by rounding, and a line would mean nothing.
[[nodiscard]] std::vector<Polyline> classBorders(const Array<double>& values, std::int64_t side,
                                                 double least_lead = 0.0);

}  // namespace dubito
