// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/pdf_page.h"
#include "app/report/report_content.h"

namespace dubito {

/// Adds a table with title and caption. Text wraps within cells. If the rows span several pages,
/// the header is repeated on each. Columns that do not fit follow in a second table, which repeats
/// the names.
void addTable(const ReportTable& table, PdfPages& pages);

}  // namespace dubito
