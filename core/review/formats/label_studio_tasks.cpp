// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/label_studio_tasks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/review/formats/image_url.h"
#include "core/review/formats/parsed_json.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kStudioRemedy = "export the project as JSON again";
/// Usual keys of the image in the data of a task.
constexpr const char* kStudioImageKeys[] = {"image", "img",       "image_url", "url",     "path",
                                            "file",  "file_name", "filename",  "filepath"};

std::string usualImageKeyOf(const json& data) {
  for (const char* const key : kStudioImageKeys) {
    if (!textMember(data, key).empty()) {
      return key;
    }
  }
  return {};
}

/// The key of the image in the data of a task: a usual one, else that of the first text; "" if
/// there is none.
std::string imageKeyOf(const json& data) {
  if (std::string usual = usualImageKeyOf(data); !usual.empty() || !data.is_object()) {
    return usual;
  }
  for (const auto& [key, value] : data.items()) {
    if (value.is_string() && !value.get_ref<const std::string&>().empty()) {
      return key;
    }
  }
  return {};
}

/// Names of the controls ("from_name") with choices in any annotation.
std::set<std::string> controlsOf(const json& tasks) {
  std::set<std::string> controls;
  for (const json& task : tasks) {
    for (const char* const list : {"annotations", "completions", "predictions"}) {
      for (const json& answer : listMember(task, list)) {
        for (const json& each : listMember(answer, "result")) {
          const json* const value = memberOf(each, "value");
          if (value != nullptr && memberOf(*value, "choices") != nullptr) {
            controls.insert(textMember(each, "from_name"));
          }
        }
      }
    }
  }
  return controls;
}

/// Kinds of results about parts of an image, by the member of their value.
constexpr const char* kStudioShapes[] = {"rectanglelabels", "polygonlabels", "keypointlabels",
                                         "brushlabels",     "ellipselabels", "vectorlabels",
                                         "bitmasklabels",   "rle",           "points"};

/// Name of the control of a JSON-MIN export, whose entries have the data, the controls and a few
/// other members side by side; "" if there is none.
std::string flatControlOf(const json& tasks) {
  for (const char* const usual : {"choice", "choices", "label", "class", "category"}) {
    if (std::ranges::any_of(
            tasks, [usual](const json& task) { return memberOf(task, usual) != nullptr; })) {
      return usual;
    }
  }
  for (const json& task : tasks) {
    if (!task.is_object()) {
      continue;
    }
    for (const auto& [key, value] : task.items()) {
      if (memberOf(value, "choices") != nullptr) {
        return key;
      }
    }
  }
  return {};
}

}  // namespace

Expected<json> readStudioTasks(const std::string& path) {
  Expected<json> tasks = readJsonFile(path, kStudioRemedy);
  if (!tasks) {
    return tasks;
  }
  if (tasks->is_object()) {
    *tasks = json::array({std::move(*tasks)});  // a single task
  }
  return tasks->is_array()
             ? std::move(tasks)
             : fail(ErrorCode::kMalformed,
                    fmt::format("{}: is not a list of tasks; {}", path, kStudioRemedy));
}

Expected<std::string> studioControl(const json& tasks, const std::string& wanted,
                                    const std::string& path) {
  const std::set<std::string> controls = controlsOf(tasks);
  if (!wanted.empty() ? controls.contains(wanted) : controls.size() == 1) {
    return wanted.empty() ? *controls.begin() : wanted;
  }
  if (controls.empty()) {
    return wanted.empty() ? flatControlOf(tasks) : wanted;
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: has the choices {}{}; set the field to one of them", path,
                          inQuotes(fmt::format("{}", fmt::join(controls, ", "))),
                          wanted.empty() ? "" : fmt::format(", but not {}", inQuotes(wanted))));
}

StudioNames studioInterfaceOf(const json& tasks, const std::string& control) {
  StudioNames names;
  for (const json& task : tasks) {
    if (const json* const data = memberOf(task, "data"); data != nullptr && data->is_object()) {
      if (const std::string key = imageKeyOf(*data); !key.empty()) {
        names.image_key = key;
      }
    }
    for (const char* const list : {"annotations", "completions", "predictions"}) {
      for (const json& answer : listMember(task, list)) {
        for (const json& each : listMember(answer, "result")) {
          const json* const value = memberOf(each, "value");
          if (value != nullptr && memberOf(*value, "choices") != nullptr &&
              textMember(each, "from_name") == control) {
            names.control = control;
            names.object = textMember(each, "to_name");
            return names;
          }
        }
      }
    }
  }
  return names;
}

std::int64_t studioShapes(const json& task) {
  std::int64_t shapes = 0;
  for (const char* const list : {"annotations", "completions", "predictions"}) {
    for (const json& answer : listMember(task, list)) {
      for (const json& each : listMember(answer, "result")) {
        const json* const value = memberOf(each, "value");
        shapes += value != nullptr && std::ranges::any_of(kStudioShapes,
                                                          [value](const char* key) {
                                                            return memberOf(*value, key) != nullptr;
                                                          })
                      ? 1
                      : 0;
      }
    }
  }
  return shapes;
}

std::string usualStudioImage(const json& data) {
  const std::string key = usualImageKeyOf(data);
  return key.empty() ? std::string() : pathOfImageUrl(textMember(data, key.c_str()));
}

std::string studioImage(const json& data) {
  const std::string key = imageKeyOf(data);
  return key.empty() ? std::string() : pathOfImageUrl(textMember(data, key.c_str()));
}

}  // namespace dubito
