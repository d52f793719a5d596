// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/labs/preset/lab_preset.h"

namespace dubito {

/// A moment of a story: what is said, and what a laboratory shows with it.
struct StoryStep {
  std::string title;  ///< a few words
  std::string text;   ///< a short paragraph of plain text
  LabPreset preset;   ///< missing values are those of a new laboratory
};

/// Steps that set laboratories up one after the other, for a lecture (docs/formats.md).
struct LabStory {
  std::string title;
  std::vector<StoryStep> steps;
};

/// What a file of the laboratories is.
enum class LabFileKind { kNone, kPreset, kStory };

/// Guesses from the content. kNone also for a file that cannot be read, or is larger than any
/// preset or story.
[[nodiscard]] LabFileKind labFileKind(const std::string& path);

/// kInvalidArgument, naming the step, if a title or a text is empty or there is no step.
[[nodiscard]] Status checkLabStory(const LabStory& story);
/// Writes next to `path` and renames. kWriteFailed as AtomicFile; else as checkLabStory().
[[nodiscard]] Status saveLabStory(const std::string& path, const LabStory& story);
/// kReadFailed for a file that cannot be read; else as parseLabStory().
[[nodiscard]] Expected<LabStory> openLabStory(const std::string& path);
/// Reads the `text` of the file `path`. kUnsupported for a newer version, or else kMalformed,
/// naming the step, with the reason and the remedy. Whether a laboratory can show a step is known
/// only when it does.
[[nodiscard]] Expected<LabStory> parseLabStory(const std::string& text, const std::string& path);

/// `set_up` with what it lacks from `defaults`, the set-up of a new laboratory. Members of objects
/// are completed one by one: a step may name only the options that differ.
[[nodiscard]] nlohmann::json completedSetUp(nlohmann::json defaults, const nlohmann::json& set_up);

/// A step as saveLabStory() writes it, to be pasted into a story.
[[nodiscard]] nlohmann::json storyStepToJson(const StoryStep& step);

}  // namespace dubito
