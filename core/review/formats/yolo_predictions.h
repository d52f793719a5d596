// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/review/formats/label_table.h"

namespace dubito {

/// Predictions of a YOLO network, a text file per image.
struct YoloPredictions {
  /// One per file with a classification: the class of the highest score, with the scores of all
  /// classes if they add up to 1. The path has no ending.
  std::vector<LabelRow> rows;
  std::int64_t boxes = 0;               ///< lines of detections and polygons
  std::vector<std::string> unreadable;  ///< files with other lines
};

/// Whether a path may be a file of predictions: it ends in ".txt" and has no usual other meaning.
[[nodiscard]] bool isYoloText(const std::string& file);

/// Whether the beginning of a file looks like predictions.
[[nodiscard]] bool beginsLikeYolo(std::string_view head);

/// Reads the files of `folder` that are isYoloText(). A line is "SCORE NAME" (as ultralytics writes
/// classifications), "CLASS SCORE" with the number of a class, or the five or more numbers of a
/// detection. Numbers are named by `names`, classes.txt or data.yaml of the folder, or by
/// themselves. Errors of reading; kCancelled.
[[nodiscard]] Expected<YoloPredictions> readYoloPredictions(const std::string& folder,
                                                            const std::vector<std::string>& files,
                                                            const std::vector<std::string>& names,
                                                            ClassIds& classes, RunContext& context);

}  // namespace dubito
