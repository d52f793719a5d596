// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/study/study_results.h"
#include "core/study/study_work.h"

namespace dubito {

/// Where a study is kept.
struct StudyPlace {
  std::string folder;
  /// Continues in a folder with results: those that the study still has are kept.
  bool resume = false;
};

struct StudyReport {
  StudyResults results;
  StudyCounts counts;
  std::vector<StudyFailure> failures;
  std::int64_t files = 0;    ///< results that the study has
  std::int64_t earlier = 0;  ///< files of an earlier version of the study, now in FOLDER/earlier
  std::vector<std::string> written;  ///< tables, figures and report
};

/// Copies the study file to FOLDER/study.json, computes what is missing of the study and writes its
/// tables: FOLDER/table.csv, metrics.csv,
/// labelling.csv, table.json, table.tex, figures/*.svg and report.html; all results of the plan are
/// files in FOLDER/runs. With several ranks, they share networks and evaluations; the first one
/// writes the tables, and the others return without results.
///
/// A result that fails is reported, and all others are computed. After kCancelled, the same call
/// with `resume` continues; its results are those of an uninterrupted call, bit by bit. Errors:
/// those of openStudy, a folder with results without `resume`, a folder that cannot be written.
[[nodiscard]] Expected<StudyReport> runStudy(const StudySpec& spec, const StudyPlace& place,
                                             const std::function<void(const std::string&)>& on_line,
                                             RunContext& context);

}  // namespace dubito
