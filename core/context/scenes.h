// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/io/run.h"

namespace dubito {

/// Which items of a run are in one scene.
struct Scenes {
  std::vector<std::string> names;                  ///< [S], in the order of their first items
  std::vector<std::vector<std::int64_t>> members;  ///< [S], rows of the run, ascending
  std::vector<std::int64_t> of_row;                ///< [N], scene of each row; -1: none
  std::string source;                              ///< the file, or "folders of DATASET"
  std::vector<std::string> notes;                  ///< what was left out, one sentence each

  /// Number of items that share their scene with another one.
  [[nodiscard]] std::int64_t inCompany() const;
  /// Number of items in the largest scene; 0 without scenes.
  [[nodiscard]] std::int64_t largest() const;
};

/// Reads the scene of each item of `run` from a CSV file with one row per item: the column `id`, or
/// without it a column with paths ("path", "file", "image", ...) as in the run's dataset, and the
/// column `scene_column`. An empty scene, and items of the run that have no row, are without scene;
/// notes count both, and rows about other items. kInvalidArgument for missing columns and if no row
/// is about an item of the run; kMalformed, naming the line, for ids that are not whole numbers and
/// items that are in two rows.
[[nodiscard]] Expected<Scenes> readScenes(const std::string& path, const std::string& scene_column,
                                          const Run& run, RunContext& context);

/// The items of `run` in one folder of its dataset are one scene. `dataset` is joined on ids.
/// kInvalidArgument if items have no path (arrays), and if the folders name the classes (several
/// scenes, each with labels of one class only): the scene would give away the label.
[[nodiscard]] Expected<Scenes> scenesOfFolders(const Dataset& dataset, const Run& run);

/// Scenes from the scene names of the rows, empty for none.
[[nodiscard]] Scenes scenesByName(std::span<const std::string> scene_of_row, std::string source);

}  // namespace dubito
