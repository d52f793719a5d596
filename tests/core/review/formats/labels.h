// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/review/formats/label_format.h"
#include "core/review/formats/label_table.h"
#include "tests/support/temp_dir.h"

namespace dubito::test {

/// Five items with everything that a row can have, three classes of which one is unused, one class
/// merged, names that need escaping, and an earlier decision.
[[nodiscard]] LabelTable exampleLabels();

/// The keys of the formats.
[[nodiscard]] std::vector<std::string> formatKeys();
/// A key as the name of a test.
[[nodiscard]] std::string formatTestName(const testing::TestParamInfo<std::string>& info);

/// Writes small files as the images of the table to dir/images, except "missing.png".
void writeExampleImages(const TempDir& dir, const LabelTable& table);

/// The format of this key; throws if there is none.
[[nodiscard]] const LabelFormat& labelFormat(const std::string& key);

/// Exports and imports with default options; a test failure and an empty result on errors.
LabelExport writeLabels(const std::string& key, const LabelTable& table, const std::string& path,
                        const LabelExportOptions& options = {});
LabelImport readLabels(const std::string& key, const std::string& path,
                       const LabelImportOptions& options = {});
/// The message of the error of an import; a test failure if there is none.
std::string readError(const std::string& key, const std::string& path,
                      ErrorCode code = ErrorCode::kMalformed);

/// What a format keeps of a row, as one text; classes by name.
[[nodiscard]] std::string keptText(const LabelRow& row, const LabelTable& table,
                                   const LabelParts& keeps);

/// "0001.png cat" for each present row.
[[nodiscard]] std::vector<std::string> pathsAndClasses(const LabelTable& table);
[[nodiscard]] std::vector<std::string> texts(const std::vector<LabelNote>& notes);

/// All files, folders and links below a folder, hidden ones included, sorted.
[[nodiscard]] std::vector<std::string> everythingIn(const std::filesystem::path& folder);

/// tests/data/labels/NAME.
[[nodiscard]] std::string labelFile(const std::string& name);

}  // namespace dubito::test
