// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito::test {

/// Writes FOLDER/table.json, and an empty FOLDER/runs, of a study that was never computed: `rows`
/// methods with long names on six rotations, with automatic labelling, retraining of the first row,
/// notes and a failure.
void writeStudyTables(const std::string& folder, int rows);

}  // namespace dubito::test
