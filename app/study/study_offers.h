// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "app/study/study_fields.h"

namespace dubito {

class Session;

/// Fills the menu of a field for a dataset: the open ones, and files.
[[nodiscard]] std::function<void(QMenu&, const StudyFields::Offer&)> datasetOffers(
    const Session& session);
/// Likewise for a network.
[[nodiscard]] std::function<void(QMenu&, const StudyFields::Offer&)> modelOffers(
    const Session& session);

}  // namespace dubito
