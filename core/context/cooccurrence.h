// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/context/scenes.h"
#include "core/io/run.h"

namespace dubito {

/// How often objects of two classes are in one scene.
struct Cooccurrence {
  /// [K, K], finite, >= 0, symmetric, not all 0. The order is that of the run's classes.
  Array<double> counts;
  std::string source;                   ///< for metadata: the file, or "labels of NAME"
  std::vector<std::string> notes = {};  ///< what was left out or assumed, one sentence each

  [[nodiscard]] std::int64_t classCount() const { return counts.extent(0); }
};

/// Reads a table of counts for the K classes of `run`:
///   category,n_images,cat,dog
///   cat,120,0,35
///   dog,90,35,0
/// The first column names the class of a row, and every row needs a column of the same name. Other
/// columns ("n_images") are not used, and classes that the run does not have are left out; notes
/// count both. Classes are matched by name (classByName). kMalformed, naming file, line and column,
/// for cells that are not numbers >= 0, rows without a column, repeated classes, and counts that
/// depend on the direction; kInvalidArgument if a class of the run is missing or no two of its
/// classes were seen together.
[[nodiscard]] Expected<Cooccurrence> readCooccurrence(const std::string& path, const Run& run,
                                                      RunContext& context);

/// Counts the labels of a run: each pair of labelled items in one scene adds 1 in both directions.
/// `scenes` are those of `run`, `name` is its name in messages. kInvalidArgument if no two labelled
/// items share a scene, or if the classes are not those of `of`, the run that will use the counts.
[[nodiscard]] Expected<Cooccurrence> learnCooccurrence(const Run& run, const Scenes& scenes,
                                                       const std::string& name, const Run& of);

}  // namespace dubito
