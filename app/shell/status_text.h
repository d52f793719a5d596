// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/page/page_list.h"
#include "core/base/run_context.h"

namespace dubito {

class Session;

/// What the status line says about the run shown on `page`: its items, the selection, the threshold
/// and its device; without a run, the device of the next computation.
[[nodiscard]] QString statusText(const Session& session, PageId page, const Device& device);

}  // namespace dubito
