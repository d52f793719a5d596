// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/labs/story/lab_story.h"

namespace dubito {

/// A story that comes with the program.
struct ShippedStory {
  const char* key;    ///< "hmc", the name of its file
  const char* title;  ///< as in the file
};

/// All stories. The file of each is a resource next to lab_stories.cpp.
[[nodiscard]] const std::vector<ShippedStory>& shippedStories();
[[nodiscard]] Expected<LabStory> storyOf(const ShippedStory& shipped);

}  // namespace dubito
