// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/data/corruption.h"
#include "core/data/dataset.h"

namespace dubito {

/// A part of a list as Python writes it, [begin:end:step): negative ends count from the back,
/// missing ones are the ends of the list, what lies beyond the list is cut off, and a negative step
/// goes backwards.
struct ItemRange {
  std::optional<std::int64_t> begin;
  std::optional<std::int64_t> end;
  std::int64_t step = 1;  ///< never 0

  /// The positions within a list of `size` items, in order.
  [[nodiscard]] std::vector<std::int64_t> positions(std::int64_t size) const;
};

/// The text that opens a dataset, taken apart: `scheme:location?key=value&key=value`.
struct DatasetSpec {
  /// "idx", "cifar10", "folder", "npz", "csv" or "synthetic"; empty for a plain path, whose kind is
  /// still to be found.
  std::string scheme;
  /// A path (or IMAGES,LABELS for idx, FILE,FILE for cifar10), or the name of a synthetic dataset.
  std::string location;
  /// Rows of the underlying data; applied before `classes`.
  std::optional<ItemRange> items;
  /// Classes to keep, by number or by name; empty: all.
  std::vector<std::string> classes;
  std::optional<Role> role;
  /// What is done to every image.
  std::optional<Corruption> corruption;
  /// Overrides the dataset's own name.
  std::optional<std::string> name;
  /// Keys that only one kind of dataset knows ("labels", "split", "n", "seed", "noise",
  /// "blobs", "characters").
  std::map<std::string, std::string> extra;
};

/// Takes `text` apart. The options start at the last '?' that is followed by key=value pairs, so
/// that paths may hold '?', '=', '&', ',' and spaces. An unknown key is an error that lists the
/// known ones; a path that looks as if it ended in options is meant where a file of that very name
/// exists.
[[nodiscard]] Expected<DatasetSpec> parseDatasetSpec(const std::string& text);

/// The text that parseDatasetSpec takes apart into `spec`.
[[nodiscard]] std::string toString(const DatasetSpec& spec);

/// Finds the scheme of a plain path: a folder, or a file by its name, size and first bytes.
/// Leaves a spec with a scheme as it is.
[[nodiscard]] Expected<DatasetSpec> resolveScheme(DatasetSpec spec);

/// The extra key as a whole number in [low, high], or `fallback` where it is absent.
[[nodiscard]] Expected<std::int64_t> integerOption(const DatasetSpec& spec, const std::string& key,
                                                   std::int64_t fallback, std::int64_t low,
                                                   std::int64_t high);

/// The extra key as a real number in [low, high], or `fallback` where it is absent.
[[nodiscard]] Expected<double> realOption(const DatasetSpec& spec, const std::string& key,
                                          double fallback, double low, double high);

}  // namespace dubito
