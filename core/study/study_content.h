// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/study/study_folder.h"

namespace dubito {

/// How a cell stands out.
enum class StudyMark {
  kNone,
  kBest,    ///< best mean of its column
  kBroken,  ///< a guarantee that is not kept
};
struct StudyText {
  std::string text;
  StudyMark mark = StudyMark::kNone;
};

/// A table of a report.
struct StudyTable {
  std::string caption;
  std::size_t names = 0;  ///< leading columns with text; the others have numbers
  int together = 1;       ///< so many columns of numbers belong together
  std::vector<std::string> columns;
  std::vector<std::vector<StudyText>> rows;
};

struct StudySection {
  std::string heading;
  std::string text = {};  ///< may be empty
  std::vector<StudyTable> tables = {};
};

/// Text of the report of a study, for any file format.
struct StudyContent {
  std::string title;
  std::string subtitle;
  std::vector<std::string> headline;   ///< what was found, in sentences
  std::vector<std::string> notes;      ///< caveats, and what failed
  std::vector<StudySection> sections;  ///< one per target, then retraining
};
[[nodiscard]] StudyContent studyContent(const StudyFolder& study);

}  // namespace dubito
