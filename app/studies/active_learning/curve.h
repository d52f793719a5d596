// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito::study {

/// A network trained on the labels so far.
struct CurvePoint {
  std::int64_t labels = 0;
  double accuracy = 0.0;  ///< on the test items
  /// Ids of the items labelled next, in the order of the queue; empty at the end of the curve.
  std::vector<std::int64_t> acquired = {};
};

/// Accuracy against number of labels, for one acquisition and one seed.
struct Curve {
  std::string by;  ///< key of the queue whose first items are labelled
  std::uint64_t seed = 0;
  std::vector<std::int64_t> initial = {};  ///< ids of the items labelled at the start
  std::vector<CurvePoint> points = {};     ///< ascending in labels
};

/// Writes a curve to a JSON file, together with its conditions (conditionsOf).
[[nodiscard]] Status writeCurve(const std::string& path, const Curve& curve,
                                const nlohmann::json& conditions);

/// Reads a curve. kMalformed for another file; kInvalidArgument, naming the differences, if it was
/// made under other conditions.
[[nodiscard]] Expected<Curve> readCurve(const std::string& path, const nlohmann::json& conditions);

}  // namespace dubito::study
