// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <utility>
#include <vector>

#include "app/report/report.h"

namespace dubito {

/// One self-contained HTML file: how the run came about, the metric table, the pages. `pictures`
/// are the pages' PNG files by name, in their order.
[[nodiscard]] QByteArray reportHtml(const Analysis& analysis, const std::vector<ReportPage>& pages,
                                    const std::vector<std::pair<QString, QByteArray>>& pictures);

}  // namespace dubito
