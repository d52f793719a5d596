// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/note.h"

namespace dubito {

/// The note with the text `text` from a file without kinds of notes: recognises the kinds by the
/// phrases that earlier versions wrote. The only place that may do so.
[[nodiscard]] Note noteOfEarlierVersion(std::string text);

}  // namespace dubito
