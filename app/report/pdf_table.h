// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/pdf_page.h"
#include "app/report/report_content.h"

namespace dubito {

/// Adds a table with title and caption. Cells wrap; rows continue on the next page under repeated
/// headers; columns that do not fit follow in another table that repeats the names.
void addTable(const ReportTable& table, PdfPages& pages);

}  // namespace dubito
