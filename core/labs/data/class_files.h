// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/run_context.h"
#include "core/labs/data/class_data.h"

namespace dubito {

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
