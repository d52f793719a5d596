// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/report/pdf_page.h"
#include "app/report/report_content.h"

namespace dubito {

/// Adds a table with title and caption. Text wraps within cells. If the rows span several pages,
/// the header is repeated on each. Columns that do not fit follow in a second table, which repeats
/// the names.
void addTable(const ReportTable& table, PdfPages& pages);

/// Adds tables in their order, as many side by side as fit in the width of the page. Those of text,
/// and those that need several parts or pages, have the width for themselves.
void addTables(const std::vector<ReportTable>& tables, PdfPages& pages);

}  // namespace dubito
