// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/run_context.h"
#include "core/labs/data/csv_points.h"
#include "core/labs/data/regression_data.h"

namespace dubito {

/// Specification of the sample of this program: monthly CO2 at Mauna Loa.
inline constexpr const char* kCo2Key = "co2";

/// The points of a CSV file.
struct RegressionFile : CsvPoints {
  RegressionPoints points;  ///< in the order of the file; at least one
};

/// Reads all points of "FILE?x=COLUMN&y=COLUMN" (default: the first two columns with numbers). Rows
/// without two numbers are left out and counted in the notes. Errors as openRegressionFile().
[[nodiscard]] Expected<RegressionFile> readRegressionCsv(const std::string& place,
                                                         RunContext& context);

/// Reads "co2" (the sample of this program) or "csv:FILE?x=COLUMN&y=COLUMN"; see
/// openRegressionData. Rows without two numbers are left out and counted in the notes; of more than
/// kMaxLabPoints rows, an even selection is used. kNotFound for a missing file or column,
/// kMalformed for a damaged file, kInvalidArgument for an unknown name, listing the known ones.
[[nodiscard]] Expected<RegressionData> openRegressionFile(const std::string& specification,
                                                          RunContext& context);

}  // namespace dubito
