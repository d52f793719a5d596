// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/data/items/corruption_spec.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Options accepted by every kind of dataset.
inline constexpr std::array<std::string_view, 6> kCommonDatasetKeys{"items",   "classes", "role",
                                                                    "corrupt", "name",    "part"};

/// Whether `text` is a valid option name: lower-case letters and underscores, at least one.
[[nodiscard]] inline bool isDatasetKey(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || letter == '_';
  });
}

/// A Python slice, begin:end:step. Negative bounds count from the end, missing bounds are the ends
/// of the list, bounds beyond the list are clipped, and a negative step goes backwards.
struct ItemRange {
  std::optional<std::int64_t> begin;
  std::optional<std::int64_t> end;
  std::int64_t step = 1;  ///< never 0

  /// The selected positions in a list of `size` items, in order of selection.
  [[nodiscard]] std::vector<std::int64_t> positions(std::int64_t size) const;
};

/// A random part of a list of items: `count` items, drawn by their ids, or all the others.
struct ItemPart {
  std::int64_t count = 0;  ///< at least 1
  bool is_rest = false;    ///< the others

  /// Those of `rows`, items with the ids `ids` [all rows], that belong to the part, in their order.
  /// The same ids give the same part, wherever they are in the list.
  [[nodiscard]] std::vector<std::int64_t> of(const std::vector<std::int64_t>& rows,
                                             std::span<const std::int64_t> ids) const;
};

/// "held-out:N" or "rest:N".
[[nodiscard]] std::string toString(const ItemPart& part);

/// A parsed dataset specification: `scheme:location?key=value&key=value`.
struct DatasetSpec {
  /// Scheme of a DatasetKind ("idx"); empty for a plain path, whose kind is not yet known, and for
  /// a file of predictions.
  std::string scheme;
  /// A path, several joined by commas (IMAGES,LABELS for idx), or the name of a generator.
  std::string location;
  /// Rows of the underlying data; applied before `classes`.
  std::optional<ItemRange> items;
  /// Classes to keep, by number or by name; empty: all.
  std::vector<std::string> classes;
  /// Applied after `classes`.
  std::optional<ItemPart> part;
  std::optional<Role> role;
  /// Applied to every image.
  std::optional<Corruption> corruption;
  /// Overrides the dataset's own name.
  std::optional<std::string> name;
  /// Options specific to this kind of dataset (DatasetKind::options()), by key: "split", "seed";
  /// specifications are not escaped here.
  std::map<std::string, std::string> extra;
};

/// The value of an option that is a specification (DatasetOption::is_specification): %, ? and & are
/// written as %25, %3F and %26, so that they are not taken for the outer ones.
[[nodiscard]] std::string escapedSpec(std::string_view spec);
/// The inverse. A % that is not followed by two hexadecimal digits stands for itself.
[[nodiscard]] std::string unescapedSpec(std::string_view value);

/// Parses `text`. The options start at the last '?' that is followed by key=value pairs, so paths
/// may contain '?', '=', '&', ',' and spaces. Fails for an unknown key; the message lists the known
/// keys. A path that appears to end in options is taken literally if a file with exactly that name
/// exists, or if another '?' follows it.
[[nodiscard]] Expected<DatasetSpec> parseDatasetSpec(const std::string& text);

/// The text that parseDatasetSpec parses into `spec`.
[[nodiscard]] std::string toString(const DatasetSpec& spec);

/// Determines the scheme of a plain path by asking all kinds (DatasetKind::recognise()). A spec
/// with a scheme is returned unchanged. Fails with kNotFound or kUnsupported.
[[nodiscard]] Expected<DatasetSpec> resolveScheme(DatasetSpec spec);

/// The option `key` as an integer; `fallback` if absent. Fails if it is not in [low, high].
[[nodiscard]] Expected<std::int64_t> integerOption(const DatasetSpec& spec, const std::string& key,
                                                   std::int64_t fallback, std::int64_t low,
                                                   std::int64_t high);

/// The option `key` as a real number; `fallback` if absent. Fails if it is not in [low, high].
[[nodiscard]] Expected<double> realOption(const DatasetSpec& spec, const std::string& key,
                                          double fallback, double low, double high);

}  // namespace dubito
