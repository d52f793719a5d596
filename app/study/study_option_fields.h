// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/study/study_draft.h"
#include "core/base/options.h"

namespace dubito {

/// Sets the fields that are members of `object`; members that are none, or have no valid value, are
/// left to the check of the study.
void loadOptions(const StudyJson& object, const std::vector<Field>& fields);

/// `object` with the values of the fields. Values equal to those of `defaults` are only written if
/// the object already names them. Other members stay.
[[nodiscard]] StudyJson storedOptions(StudyJson object, const std::vector<Field>& fields,
                                      const std::vector<Field>& defaults);

}  // namespace dubito
