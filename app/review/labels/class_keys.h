// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <unordered_map>
#include <vector>

#include "app/review/settings/review_keys.h"
#include "core/labels/label_class.h"

namespace dubito {

/// The keys that choose classes, in capitals, by class: their own; for a digit as class the digit;
/// else 1 to 9 and 0 in the order of their numbers, or a digit that is free. Renaming or merging a
/// class leaves the keys of the others alone. A class whose own key belongs to a command or to
/// another class, merged classes and those beyond the digits have none.
[[nodiscard]] std::unordered_map<std::int64_t, QString> classKeys(
    const std::vector<LabelClass>& classes, const ReviewKeys& keys);

/// The class that a key chooses; nullptr if there is none.
[[nodiscard]] const LabelClass* classOfKey(const std::vector<LabelClass>& classes,
                                           const ReviewKeys& keys, const QString& key);

/// Why a class cannot have this own key, one letter or digit, as a sentence; empty if it can.
[[nodiscard]] QString wrongWithClassKey(const std::vector<LabelClass>& classes,
                                        const ReviewKeys& keys, std::int64_t class_id,
                                        const QString& key);

}  // namespace dubito
