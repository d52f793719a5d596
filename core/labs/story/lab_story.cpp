// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/story/lab_story.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/base/json_integer.h"
#include "core/io/atomic_file.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kStoryFormat = "dubito-story";
constexpr int kStoryVersion = 1;
/// A preset of kMaxLabPoints points has less than a megabyte; label files, which are JSON as well,
/// can be far larger.
constexpr std::uintmax_t kMaxLabFileBytes = std::uintmax_t{32} << 20;

tl::unexpected<Error> badLabStory(const std::string& path, const std::string& reason) {
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: is no story of the laboratories ({}); correct it as docs/formats.md "
                          "describes, or copy its steps from the page Labs",
                          path, reason));
}

std::string nameOf(std::size_t step) {
  return fmt::format("step {}", step + 1);
}

/// The title, text and preset of step `index` of the file `path`. Throws nlohmann's exceptions.
Expected<StoryStep> stepFromJson(const json& object, std::size_t index, const std::string& path) {
  auto preset = labPresetFromJson(object.at("preset"), fmt::format("{}, {}", path, nameOf(index)));
  if (!preset) {
    return failWith(preset);
  }
  return StoryStep{object.at("title").get<std::string>(), object.at("text").get<std::string>(),
                   *std::move(preset)};
}

/// The value of "format" of the object in `text`; empty if it has none.
std::string formatOf(const std::string& text) {
  const json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) {
    return {};
  }
  const auto format = object.find("format");
  return format != object.end() && format->is_string() ? format->get<std::string>() : std::string();
}

}  // namespace

LabFileKind labFileKind(const std::string& path) {
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(path, failed);
  if (failed || bytes > kMaxLabFileBytes) {
    return LabFileKind::kNone;
  }
  const auto text = readLabText(path);
  // Parsing a large label file only to see that it is one would take long.
  if (!text || (text->find(kStoryFormat) == std::string::npos &&
                text->find(kLabPresetFormat) == std::string::npos)) {
    return LabFileKind::kNone;
  }
  const std::string format = formatOf(*text);
  return format == kStoryFormat       ? LabFileKind::kStory
         : format == kLabPresetFormat ? LabFileKind::kPreset
                                      : LabFileKind::kNone;
}

Status checkLabStory(const LabStory& story) {
  if (story.title.empty()) {
    return fail(ErrorCode::kInvalidArgument, "the story has no title; give it one");
  }
  if (story.steps.empty()) {
    return fail(ErrorCode::kInvalidArgument, "the story has no steps; add one");
  }
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    const StoryStep& step = story.steps[i];
    if (step.title.empty() || step.text.empty()) {
      return fail(ErrorCode::kInvalidArgument, fmt::format("{} has no {}; write one", nameOf(i),
                                                           step.title.empty() ? "title" : "text"));
    }
  }
  return {};
}

json completedSetUp(json defaults, const json& set_up) {
  for (const auto& [key, value] : set_up.items()) {
    json& completed = defaults[key];
    if (completed.is_object() && value.is_object()) {
      completed.update(value);
    } else {
      completed = value;
    }
  }
  return defaults;
}

json storyStepToJson(const StoryStep& step) {
  return {{"title", step.title}, {"text", step.text}, {"preset", labPresetToJson(step.preset)}};
}

Status saveLabStory(const std::string& path, const LabStory& story) {
  if (Status checked = checkLabStory(story); !checked) {
    return checked;
  }
  json steps = json::array();
  for (const StoryStep& step : story.steps) {
    steps.push_back(storyStepToJson(step));
  }
  const json object = {{"format", kStoryFormat},
                       {"schema_version", kStoryVersion},
                       {"title", story.title},
                       {"steps", std::move(steps)}};
  return writeFileAtomically(path, object.dump(2) + "\n");
}

Expected<LabStory> openLabStory(const std::string& path) {
  const auto text = readLabText(path);
  return text ? parseLabStory(*text, path) : failWith(text);
}

Expected<LabStory> parseLabStory(const std::string& text, const std::string& path) {
  const json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded()) {
    return badLabStory(path, "it is not JSON");
  }
  try {
    if (object.at("format") != kStoryFormat) {
      return badLabStory(path, "it was saved by something else");
    }
    if (integerFrom<int>(object.at("schema_version")) > kStoryVersion) {
      return fail(
          ErrorCode::kUnsupported,
          fmt::format("{}: was written by a newer version of the program; update it", path));
    }
    LabStory story{object.at("title").get<std::string>(), {}};
    for (const json& entry : object.at("steps")) {
      auto step = stepFromJson(entry, story.steps.size(), path);
      if (!step) {
        return failWith(step);
      }
      story.steps.push_back(*std::move(step));
    }
    if (const Status checked = checkLabStory(story); !checked) {
      return badLabStory(path, checked.error().message);
    }
    return story;
  } catch (const json::exception& exception) {
    return badLabStory(path, exception.what());
  }
}

}  // namespace dubito
