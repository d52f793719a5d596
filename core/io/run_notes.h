// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito {

/// The notes of several runs, `notes[i]` of the run called `names[i]`, for a result that rests on
/// all of them: each note once, one that not all runs have with the name of its run in front.
[[nodiscard]] std::vector<std::string> joinedNotes(
    const std::vector<std::string>& names, const std::vector<std::vector<std::string>>& notes);

}  // namespace dubito
