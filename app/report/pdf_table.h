// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/pdf_page.h"
#include "app/report/report_content.h"

namespace dubito {

/// Adds a table with its title and caption. Cells wrap; rows go on on the next page under the same
/// heads; columns that have no room follow in a table of their own, with the names repeated.
void addTable(const ReportTable& table, PdfPages& pages);

}  // namespace dubito
