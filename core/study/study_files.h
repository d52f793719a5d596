// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// Files in the folder of a study.
inline constexpr const char* kStudyFile = "study.json";
inline constexpr const char* kStudyTable = "table.json";
inline constexpr const char* kStudyPdf = "report.pdf";  ///< made by the program of the window
inline constexpr const char* kRunsFolder = "runs";
inline constexpr const char* kFiguresFolder = "figures";

}  // namespace dubito
