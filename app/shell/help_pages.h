// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/labs/catalogue/laboratories.h"

namespace dubito {

// Pages of the user guide as HTML, without their pictures and links, which the window cannot show.

/// `page` is a file of help_pages.qrc ("review-labels.md"); empty if there is none of that name.
[[nodiscard]] QString helpPageHtml(const QString& page);
/// The section of the page Labs about `laboratory`; empty if it has none.
[[nodiscard]] QString laboratoryHelpHtml(const LaboratoryInfo& laboratory);

}  // namespace dubito
