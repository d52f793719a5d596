// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/run_context.h"
#include "core/labs/data/class_data.h"

namespace dubito {

/// What shapes a computed dataset.
struct ClassSetOptions {
  std::int64_t points = 200;  ///< training points of all classes together, >= 2
  /// Standard deviation of the points around their shape; automatic: that of the preset.
  std::optional<double> noise = {};
  std::int64_t arms = 3;  ///< of "spiral", 2 to kMaxLabClasses
};

/// A preset of the classification laboratory.
struct ClassSetInfo {
  const char* key = nullptr;          ///< "moons"
  const char* name = nullptr;         ///< "Two moons"
  const char* explanation = nullptr;  ///< one sentence
  double noise = 0.0;                 ///< automatic standard deviation
  std::int64_t classes = 2;           ///< 0: one per arm
  /// Writes the place on the shape, from two uniform numbers, to `place`.
  void (*shape)(std::int64_t class_of_point, std::int64_t classes, const double* uniforms,
                double* place) = nullptr;
};

/// All presets that are computed, in the order of lists.
[[nodiscard]] const std::vector<ClassSetInfo>& classSets();

/// Opens "blobs", "moons", ... or "csv:FILE?x1=COLUMN&x2=COLUMN&class=COLUMN" (see
/// openClassFile()). The points of a preset depend on its options and `seed` alone; every class has
/// the same number of points, give or take one. Errors name what is wrong and the remedy.
[[nodiscard]] Expected<ClassData> openClassData(const std::string& specification,
                                                const ClassSetOptions& options, std::uint64_t seed,
                                                RunContext& context);

/// Reads "csv:FILE?x1=COLUMN&x2=COLUMN&class=COLUMN". By default the columns are those with these
/// names; else x1 and x2 are the first two columns with numbers and the class is the last column
/// that is neither. A class may be any text; classes are ordered by number or alphabetically. If
/// all are whole numbers from 0 on, those in between that do not occur are classes without points,
/// an error. Rows without two finite numbers and a class are left out and counted in the notes; of
/// more than kMaxLabPoints rows, an even selection is used. Every fifth point is kept for testing
/// if there are at least 20 and every class remains. kNotFound for a missing file or column,
/// kMalformed for a damaged file, else as checkClassData().
[[nodiscard]] Expected<ClassData> openClassFile(const std::string& specification,
                                                RunContext& context);

}  // namespace dubito
