// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito {

/// The notes of several runs, `notes[i]` of the run `names[i]`, merged for a result computed from
/// all of them: each note once; notes that not all runs have are prefixed with the name of their
/// run.
[[nodiscard]] std::vector<std::string> joinedNotes(
    const std::vector<std::string>& names, const std::vector<std::vector<std::string>>& notes);

}  // namespace dubito
