// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/data/csv_place.h"
#include "core/labs/data/regression_data.h"

namespace dubito {

/// What a laboratory reads from the columns of a file.
struct PointColumns {
  /// Names of the columns in a specification: two of numbers, and perhaps one of texts.
  std::span<const char* const> roles;
  const char* contents = nullptr;  ///< of a row, for messages: "two numbers"
  /// Whether a column that is not named is the one with the name of its role, if there is one.
  bool have_usual_names = false;
};

/// One row of such a file.
struct CsvPoint {
  double first = 0.0;  ///< finite
  double second = 0.0;
  std::string_view text;  ///< trimmed, not empty; empty without a column of texts
};

/// What is known of such a file, apart from its points.
struct CsvPoints {
  std::string path;
  std::vector<std::string> headings;  ///< of the columns, in the order of the roles
  std::vector<std::string> notes;     ///< what was left out, one sentence per item
};

/// Hands every row of a file to `use`, until that fails. Columns that are not named are the first
/// ones with numbers, and for texts the last other one. Rows without these contents are left out
/// and counted in the notes. kNotFound for a missing file or column; kMalformed for a damaged file,
/// and if no row has the contents.
[[nodiscard]] Expected<CsvPoints> readCsvPoints(
    const CsvPlace& place, const PointColumns& columns, RunContext& context,
    const std::function<Status(const CsvPoints& file, const CsvPoint& point)>& use);

/// Every so many points, so that at most kMaxLabPoints remain; adds a note if some are left out.
template <class Points>
void thinPoints(Points& points, std::vector<std::string>& notes) {
  const std::int64_t stride = (points.size() + kMaxLabPoints - 1) / kMaxLabPoints;
  if (stride <= 1) {
    return;
  }
  Points kept;
  for (std::int64_t i = 0; i < points.size(); i += stride) {
    kept.addFrom(points, i);
  }
  notes.push_back(fmt::format("{} of {} points are used: one in {}, in the order of the file",
                              kept.size(), points.size(), stride));
  points = std::move(kept);
}

/// The points to learn from, and every fifth point for testing if there are at least 20.
template <class Points>
[[nodiscard]] std::pair<Points, Points> splitPoints(const Points& points) {
  constexpr std::int64_t kMinPointsToSplit = 20;
  constexpr std::int64_t kTestStride = 5;
  if (points.size() < kMinPointsToSplit) {
    return {points, {}};
  }
  std::pair<Points, Points> parts;
  for (std::int64_t i = 0; i < points.size(); ++i) {
    (i % kTestStride == kTestStride - 1 ? parts.second : parts.first).addFrom(points, i);
  }
  return parts;
}

}  // namespace dubito
