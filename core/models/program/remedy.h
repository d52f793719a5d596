// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// Whether torch's reason for a failed pass is about the size of a tensor, so that another input
/// size may help.
[[nodiscard]] bool isAboutSizes(const std::string& reason);

/// What a user can do about a pass that failed for this reason (torchReason): each cause has its
/// own remedy. `of_sizes` is that for inputs of the wrong size, and `otherwise` that for reasons
/// that are not known here.
[[nodiscard]] std::string remedyOfPass(const std::string& reason, const std::string& of_sizes,
                                       const std::string& otherwise);

/// Why torch cannot load an archive, with a remedy; torch's whole message is `text`, and `reason`
/// its torchReason.
[[nodiscard]] std::string whyNotLoaded(const std::string& text, const std::string& reason);

}  // namespace dubito
