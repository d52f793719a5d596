// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/classification_lab.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/measures/measures.h"
#include "core/metrics/reliability_diagram.h"

namespace dubito {
namespace {

constexpr std::int64_t kFarPoints = 64;
constexpr double kFarZoom = 10.0;
/// Lead of a probability over the others from which a class counts as the most likely one.
constexpr double kLeastLead = 1e-3;

double scaledInput(Interval shown, double value) {
  return kClassHalfWidth * (2.0 * (value - shown.low) / (shown.high - shown.low) - 1.0);
}

Interval zoomed(Interval shown, double zoom) {
  const double middle = 0.5 * (shown.low + shown.high);
  const double half = 0.5 * zoom * (shown.high - shown.low);
  return {middle - half, middle + half};
}

std::vector<double> inputsOf(const ClassData& data, const ClassPoints& points) {
  std::vector<double> inputs;
  for (std::size_t i = 0; i < points.x1.size(); ++i) {
    inputs.push_back(scaledInput(data.shown_x1, points.x1[i]));
    inputs.push_back(scaledInput(data.shown_x2, points.x2[i]));
  }
  return inputs;
}

std::vector<double> gridInputs(std::int64_t side, double zoom) {
  std::vector<double> inputs;
  const double cell = 2.0 * kClassHalfWidth * zoom / static_cast<double>(side);
  const auto centre = [&](std::int64_t i) {
    return -kClassHalfWidth * zoom + (static_cast<double>(i) + 0.5) * cell;
  };
  for (std::int64_t row = 0; row < side; ++row) {
    for (std::int64_t column = 0; column < side; ++column) {
      inputs.push_back(centre(column));
      inputs.push_back(centre(row));
    }
  }
  return inputs;
}

void appendCircle(double radius, std::vector<double>& inputs) {
  for (std::int64_t i = 0; i < kFarPoints; ++i) {
    const double angle = 2.0 * std::numbers::pi * (static_cast<double>(i) + 0.5) / kFarPoints;
    inputs.push_back(radius * std::cos(angle));
    inputs.push_back(radius * std::sin(angle));
  }
}

/// Lines over [0, 1]^2 in the units of the data.
std::vector<Polyline> placed(std::vector<Polyline> lines, Interval x1, Interval x2) {
  for (Polyline& line : lines) {
    for (double& x : line.x) {
      x = x1.low + x * (x1.high - x1.low);
    }
    for (double& y : line.y) {
      y = x2.low + y * (x2.high - x2.low);
    }
  }
  return lines;
}

}  // namespace

std::vector<Field> ClassificationLabOptions::fields() {
  return {field(&set.points, "points", "Points",
                "training points of a computed dataset, of all classes together",
                {.min = 2, .max = 10000}),
          field(&set.noise, "noise", "Noise",
                "standard deviation of the points around their shape; by default that of the "
                "dataset",
                {.min = 0.0, .max = 100.0}),
          field(&set.arms, "arms", "Arms", "arms of the spiral, one class each",
                {.min = 2, .max = static_cast<double>(kMaxLabClasses)}),
          field(&zoom, "zoom", "Zoom out",
                "sides of the shown square over those of the square of the data",
                {.min = 1.0, .max = kFarZoom}),
          field(&grid, "grid", "Cells per side", "cells of a map along each side",
                {.min = 4, .max = 400, .advanced = true}),
          field(&max_draws, "max_draws", "Draws at most", "largest number of draws per prediction",
                {.min = 1, .max = 10000, .advanced = true}),
          field(&borders, "borders", "Borders", "single functions whose decision borders are drawn",
                {.min = 0, .max = 50})};
}

Status ClassificationLabOptions::check() const {
  return checkFields(ClassificationLabOptions(*this).fields());
}

Expected<ClassificationLab> ClassificationLab::start(const ClassData& data,
                                                     const ClassMethod& method,
                                                     std::uint64_t seed) {
  if (const Status checked = checkClassData(data); !checked) {
    return failWith(checked);
  }
  auto learner = method.start({.inputs = inputsOf(data, data.train),
                               .classes = data.train.classes,
                               .class_count = data.classes()},
                              seed);
  if (!learner) {
    return failWith(learner);
  }
  return ClassificationLab(data, *std::move(learner));
}

Expected<ClassPicture> ClassificationLab::picture(const ClassificationLabOptions& options,
                                                  RunContext& context) const {
  ClassPicture picture;
  picture.side = options.grid;
  picture.x1 = zoomed(data().shown_x1, options.zoom);
  picture.x2 = zoomed(data().shown_x2, options.zoom);
  const std::vector<double> inputs = gridInputs(options.grid, options.zoom);
  auto prediction = learner().predict(inputs, options.max_draws, context);
  if (!prediction) {
    return failWith(prediction);
  }
  if (!prediction->isFinite()) {
    return fail(ErrorCode::kInvalidArgument,
                "the predictions are not finite; use a smaller step size or learning rate");
  }
  picture.prediction = *std::move(prediction);
  if (Status scored = score(options, picture, context); !scored) {
    return failWith(scored);
  }
  if (Status added = addBorders(options, inputs, picture, context); !added) {
    return failWith(added);
  }
  describeState(picture);
  return picture;
}

Status ClassificationLab::score(const ClassificationLabOptions& options, ClassPicture& picture,
                                RunContext& context) const {
  const ClassPoints& scored = scoredPoints(picture);
  std::vector<double> inputs = inputsOf(data(), scored);
  appendCircle(kFarZoom * kClassHalfWidth, inputs);
  const auto prediction = learner().predict(inputs, options.max_draws, context);
  if (!prediction) {
    return failWith(prediction);
  }
  ClassScores& scores = picture.scores;
  const double share = 1.0 / static_cast<double>(scored.size());
  std::vector<double> confidence;
  std::vector<std::uint8_t> correct;
  for (std::int64_t i = 0; i < scored.size(); ++i) {
    const auto probs = prediction->probs.row(i);
    const std::int64_t own = scored.classes[static_cast<std::size_t>(i)];
    const double p =
        std::max(probs[static_cast<std::size_t>(own)], std::numeric_limits<double>::min());
    const bool is_right = argmax(probs) == own;
    scores.accuracy += is_right ? share : 0.0;
    scores.nll -= share * std::log(p);
    confidence.push_back(confidenceOf(probs));
    correct.push_back(is_right ? 1 : 0);
    scores.mean_confidence += share * confidence.back();
  }
  scores.reliability = equalWidthReliability(confidence, correct, kLabReliabilityBins);
  for (std::int64_t i = 0; i < kFarPoints; ++i) {
    scores.far_confidence +=
        confidenceOf(prediction->probs.row(scored.size() + i)) / static_cast<double>(kFarPoints);
  }
  return {};
}

Status ClassificationLab::addBorders(const ClassificationLabOptions& options,
                                     std::span<const double> inputs, ClassPicture& picture,
                                     RunContext& context) const {
  picture.border = placed(classBorders(picture.prediction.probs, picture.side, kLeastLead),
                          picture.x1, picture.x2);
  if (options.borders == 0) {
    return {};
  }
  const auto functions = learner().functions(inputs, options.borders, context);
  if (!functions) {
    return failWith(functions);
  }
  // The border of a single function is that of the prediction.
  const std::int64_t count = functions->extent(0) > 1 ? functions->extent(0) : 0;
  for (std::int64_t t = 0; t < count; ++t) {
    const Array<double> logits =
        functions->slice(t, t + 1).reshaped({functions->extent(1), functions->extent(2)});
    picture.function_borders.push_back(
        placed(classBorders(logits, picture.side), picture.x1, picture.x2));
  }
  return {};
}

namespace {

/// Whether a cell or one of its eight neighbours has a class that leads by more than `least_lead`.
std::vector<bool> decidedCells(const Array<double>& values, std::int64_t side, double least_lead) {
  std::vector<bool> decided(static_cast<std::size_t>(side * side), false);
  for (std::int64_t row = 0; row < side; ++row) {
    for (std::int64_t column = 0; column < side; ++column) {
      const auto cell = values.row(row * side + column);
      double first = -std::numeric_limits<double>::infinity();
      double second = first;
      for (const double value : cell) {
        second = std::max(second, std::min(first, value));
        first = std::max(first, value);
      }
      if (!(first - second > least_lead)) {
        continue;
      }
      for (std::int64_t y = std::max<std::int64_t>(row - 1, 0); y <= std::min(row + 1, side - 1);
           ++y) {
        for (std::int64_t x = std::max<std::int64_t>(column - 1, 0);
             x <= std::min(column + 1, side - 1); ++x) {
          decided[static_cast<std::size_t>(y * side + x)] = true;
        }
      }
    }
  }
  return decided;
}

}  // namespace

std::vector<Polyline> classBorders(const Array<double>& values, std::int64_t side,
                                   double least_lead) {
  const std::int64_t classes = values.extent(1);
  const std::vector<bool> decided = decidedCells(values, side, least_lead);
  std::vector<Polyline> borders;
  // Every border is one of a class before the last.
  for (std::int64_t k = 0; k + 1 < classes; ++k) {
    auto lead = Array<double>::zeros({side, side});
    for (std::int64_t m = 0; m < values.extent(0); ++m) {
      const auto row = values.row(m);
      double others = -std::numeric_limits<double>::infinity();
      for (std::int64_t l = 0; l < classes; ++l) {
        others = l == k ? others : std::max(others, row[static_cast<std::size_t>(l)]);
      }
      // No line is drawn next to NaN.
      lead.mutableData()[m] = decided[static_cast<std::size_t>(m)]
                                  ? row[static_cast<std::size_t>(k)] - others
                                  : std::numeric_limits<double>::quiet_NaN();
    }
    for (Polyline& line : isoLines(lead, 0.0)) {
      borders.push_back(std::move(line));
    }
  }
  return borders;
}

}  // namespace dubito
