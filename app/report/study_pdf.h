// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

#include "app/report/report_content.h"
#include "core/base/expected.h"
#include "core/study/study_folder.h"

namespace dubito {

/// The figures of a study, by StudyFolder::figures. Errors: a file that cannot be read or is no
/// SVG.
[[nodiscard]] Expected<std::vector<std::vector<ReportFigure>>> readStudyFigures(
    const StudyFolder& study);

/// What report.html of the study says, as PDF. `figures` are those of readStudyFigures().
[[nodiscard]] QByteArray studyPdf(const StudyFolder& study,
                                  const std::vector<std::vector<ReportFigure>>& figures);

/// Reads the folder that `dubito-cli study` has written and writes report.pdf into it. Returns the
/// path of the file. Errors of readStudyFolder and readStudyFigures; kWriteFailed.
[[nodiscard]] Expected<QString> writeStudyPdf(const QString& folder);

}  // namespace dubito
