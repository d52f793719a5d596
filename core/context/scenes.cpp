// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "core/base/counted.h"
#include "core/base/in_quotes.h"
#include "core/data/sources/folder_scan.h"
#include "core/io/csv.h"
#include "core/io/usual_names.h"

namespace dubito {
namespace {

constexpr std::string_view kScenePathNames[] = {"path",      "file",       "filename",
                                                "file_name", "filepath",   "file_path",
                                                "image",     "image_path", "img_path"};
constexpr std::int64_t kSceneRowsPerStep = 4096;

std::optional<std::size_t> columnNamed(const CsvReader& reader, const std::string& name) {
  const auto found = std::ranges::find(reader.header(), name);
  return found == reader.header().end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(found - reader.header().begin()));
}

/// Where items and scenes are in a file.
struct SceneColumns {
  std::size_t item = 0;
  std::size_t scene = 0;
  bool by_path = false;
};

Expected<SceneColumns> sceneColumnsOf(const CsvReader& reader, const std::string& scene_column) {
  const auto scene = columnNamed(reader, scene_column);
  if (!scene) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: line 1 has no column {}; name the column that tells the scene of "
                            "an item",
                            reader.path(), inQuotes(scene_column)));
  }
  for (const auto& [names, by_path] :
       {std::pair(std::span<const std::string_view>(kIdNames), false),
        std::pair(std::span<const std::string_view>(kScenePathNames), true)}) {
    for (const std::size_t column : findNames(reader.header(), names)) {
      if (column != *scene) {
        return SceneColumns{column, *scene, by_path};
      }
    }
  }
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("{}: line 1 has neither a column id nor a column path; add one that tells "
                  "the item of each row",
                  reader.path()));
}

/// Id of the item of a row: a number, or the hash of a path (pathId).
Expected<std::int64_t> itemOfRow(const CsvReader& reader, const SceneColumns& columns,
                                 std::string_view field) {
  const std::string_view text = trimmed(field);
  if (columns.by_path) {
    return pathId(std::filesystem::path(text).lexically_normal().generic_string());
  }
  if (const auto id = parseInteger(text)) {
    return *id;
  }
  return fail(ErrorCode::kMalformed, fmt::format("{}: line {} has the id {}; use whole numbers",
                                                 reader.path(), reader.line(), inQuotes(text)));
}

std::string folderOf(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? "." : name.substr(0, slash);
}

/// Whether a scene tells the label: several labels occur, but only one in each scene of several
/// labelled items.
bool tellsLabels(const Scenes& scenes, const Run& run) {
  std::int64_t compared = 0;
  std::int64_t first_label = -1;
  bool several = false;
  for (const std::vector<std::int64_t>& members : scenes.members) {
    std::int64_t in_scene = -1;
    std::int64_t labelled = 0;
    for (const std::int64_t row : members) {
      const std::int64_t label = run.labels.data()[row];
      if (label < 0) {
        continue;
      }
      ++labelled;
      if (in_scene >= 0 && label != in_scene) {
        return false;
      }
      in_scene = label;
    }
    if (labelled < 2) {
      continue;
    }
    ++compared;
    several = several || (first_label >= 0 && in_scene != first_label);
    first_label = in_scene;
  }
  return compared > 1 && several;
}

}  // namespace

std::int64_t Scenes::inCompany() const {
  std::int64_t items = 0;
  for (const auto& scene : members) {
    items += scene.size() > 1 ? std::ssize(scene) : 0;
  }
  return items;
}

std::int64_t Scenes::largest() const {
  std::int64_t items = 0;
  for (const auto& scene : members) {
    items = std::max<std::int64_t>(items, std::ssize(scene));
  }
  return items;
}

Scenes scenesByName(std::span<const std::string> scene_of_row, std::string source) {
  Scenes scenes;
  scenes.source = std::move(source);
  std::unordered_map<std::string, std::int64_t> numbers;
  std::int64_t alone = 0;
  for (const std::string& name : scene_of_row) {
    const auto row = std::ssize(scenes.of_row);
    if (name.empty()) {
      ++alone;
      scenes.of_row.push_back(-1);
      continue;
    }
    const auto [found, is_new] = numbers.emplace(name, std::ssize(scenes.names));
    if (is_new) {
      scenes.names.push_back(name);
      scenes.members.emplace_back();
    }
    scenes.of_row.push_back(found->second);
    scenes.members[static_cast<std::size_t>(found->second)].push_back(row);
  }
  if (alone > 0) {
    scenes.notes.push_back(fmt::format("{} of {} without a scene in {}: predicted alone", alone,
                                       counted(std::ssize(scene_of_row), "item"), scenes.source));
  }
  return scenes;
}

Expected<Scenes> readScenes(const std::string& path, const std::string& scene_column,
                            const Run& run, RunContext& context) {
  auto reader = CsvReader::open(path);
  if (!reader) {
    return failWith(reader);
  }
  const auto columns = sceneColumnsOf(*reader, scene_column);
  if (!columns) {
    return failWith(columns);
  }
  std::unordered_map<std::int64_t, std::size_t> row_of_id;
  for (const std::int64_t id : run.ids.values()) {
    row_of_id.emplace(id, row_of_id.size());
  }
  std::vector<std::string> scene_of_row(row_of_id.size());
  std::unordered_map<std::int64_t, std::int64_t> line_of_id;
  std::int64_t foreign = 0;
  std::vector<std::string_view> fields;
  for (std::int64_t rows = 0;; ++rows) {
    const auto more = reader->next(fields);
    if (!more) {
      return failWith(more);
    }
    if (!*more) {
      break;
    }
    if (rows % kSceneRowsPerStep == 0 &&
        context.step("reading", reader->bytesRead(), reader->bytesTotal()) == Step::kCancel) {
      return cancelled();
    }
    const auto id = itemOfRow(*reader, *columns, fields[columns->item]);
    if (!id) {
      return failWith(id);
    }
    if (const auto [seen, is_new] = line_of_id.emplace(*id, reader->line()); !is_new) {
      return fail(
          ErrorCode::kMalformed,
          fmt::format("{}: the item {} is in lines {} and {}; list each item once", path,
                      inQuotes(trimmed(fields[columns->item])), seen->second, reader->line()));
    }
    if (const auto found = row_of_id.find(*id); found != row_of_id.end()) {
      scene_of_row[found->second] = trimmed(fields[columns->scene]);
    } else {
      ++foreign;
    }
  }
  if (foreign == std::ssize(line_of_id)) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: none of its {} is about an item of the run; give the {} of its "
                    "dataset",
                    path, counted(foreign, "row"),
                    columns->by_path ? "paths of the images as they are in the folder" : "ids"));
  }
  Scenes scenes = scenesByName(scene_of_row, path);
  if (foreign > 0) {
    scenes.notes.push_back(fmt::format("{} of {} about items that are not in the run, not used",
                                       counted(foreign, "row"), path));
  }
  return scenes;
}

Expected<Scenes> scenesOfFolders(const Dataset& dataset, const Run& run) {
  std::unordered_map<std::int64_t, std::int64_t> index_of_id;
  for (const std::int64_t id : dataset.ids()) {
    index_of_id.emplace(id, std::ssize(index_of_id));
  }
  std::vector<std::string> scene_of_row;
  for (const std::int64_t id : run.ids.values()) {
    std::string& scene = scene_of_row.emplace_back();
    if (const auto found = index_of_id.find(id); found != index_of_id.end()) {
      const std::string name = dataset.itemName(found->second);
      if (name.starts_with('#')) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{}: its items are not files in folders; give a CSV file with the "
                                "scene of each item",
                                dataset.info().name));
      }
      scene = folderOf(name);
    }
  }
  Scenes scenes = scenesByName(scene_of_row, "folders of " + dataset.info().name);
  if (tellsLabels(scenes, run)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: each folder holds images of one class, so a folder would give the "
                            "label away; give a CSV file with the scene of each item",
                            dataset.info().name));
  }
  return scenes;
}

}  // namespace dubito
