// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/review/formats/label_note.h"
#include "core/review/formats/label_table.h"

namespace dubito {

/// Whether `text` is valid UTF-8. File names need not be.
[[nodiscard]] bool isUtf8(std::string_view text);

/// Every invalid byte becomes U+FFFD.
[[nodiscard]] std::string utf8WithReplacements(std::string_view text);

/// Notes the paths, classes and annotators of present labels that a UTF-8 format cannot keep.
void noteTextsNotUtf8(const LabelTable& table, std::vector<LabelNote>& notes);

}  // namespace dubito
