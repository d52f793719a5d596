// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/data/items/corruption_spec.h"

namespace dubito {

/// A path of changes of one item, and the draws along it.
struct RotationOptions {
  /// What changes along the path: a corruption (toString(CorruptionKind)).
  std::string corruption = "rotation";
  /// Number of another item of the dataset, to which the path leads instead, linearly in the input
  /// of the network.
  std::optional<std::int64_t> to = std::nullopt;
  /// Where the path ends: degrees for the rotation, else severity (1 to 5 are usual); absent: 180
  /// degrees or severity 5.
  std::optional<double> end = std::nullopt;
  std::int64_t steps = 13;   ///< inputs along the path, both ends included
  std::int64_t draws = 100;  ///< passes with dropout at each of them
  /// "auto": MC dropout if the model has dropout, else one pass without.
  std::string method = "auto";
  /// Drop rate of all sites; absent: each site's own.
  std::optional<double> drop_rate = std::nullopt;
  /// Classes to show; empty: the likeliest along the path.
  std::vector<std::int64_t> classes;
  std::int64_t likeliest = 3;  ///< number of classes if none are given

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  [[nodiscard]] bool isWalk() const { return to.has_value(); }
  /// Throws std::logic_error for options that check() refuses, and for a walk.
  [[nodiscard]] CorruptionKind kind() const;
};

}  // namespace dubito
