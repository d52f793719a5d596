// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/review/formats/label_format.h"

namespace dubito {

/// One JSON object per line with an image and its label, such as the metadata.jsonl of Hugging
/// Face's ImageFolder: {"file_name": "a/1.png", "label": "cat", "score": 0.9}. Scores of several
/// classes are {"cat": 0.9, ...} or [{"label": "cat", "score": 0.9}, ...].
[[nodiscard]] LabelFormat imageLines();

}  // namespace dubito
