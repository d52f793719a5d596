// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/study/study_folder.h"

namespace dubito::test {

/// A finished study of invented numbers: three rows on the targets upright, turned and dark (which
/// has no results), one OOD set, two seeds. Rules guarantee 90 %: source keeps 94 % on upright and
/// 50 % on turned, target labels nothing, conformal keeps 92 % and weighted-conformal 85 %
/// everywhere.
[[nodiscard]] StudyFolder sampleStudy(const std::string& path);

/// Writes table.json and two figures of sampleStudy() into `path`.
void writeSampleStudy(const std::string& path);

}  // namespace dubito::test
