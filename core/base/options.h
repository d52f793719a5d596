// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// One way to write a text option: a word, or a word followed by a number ("mmc-drop=0.05").
struct TextForm {
  std::string prefix;  ///< the whole text if no number follows; empty: a number alone
  std::string label;   ///< short, for a list of the forms
  /// Default of the number; empty: the form has none.
  std::optional<double> number = {};
  /// Open interval of the number.
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
};

/// Description of one option: texts for the user and allowed values.
struct FieldInfo {
  /// In snake_case: the JSON key; the command-line flag has dashes instead.
  std::string name;
  /// A short label for forms, in sentence case.
  std::string label;
  /// Meaning, in one sentence without a full stop.
  std::string help;
  /// Unit of the number, or empty.
  std::string unit = {};
  /// Closed interval of the number.
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  /// Allowed texts; empty: any text.
  std::vector<std::string> choices = {};
  /// Ways to write a text, offered by forms; empty: the text is typed.
  std::vector<TextForm> forms = {};
  /// Set if the option has no effect with the current values of the others: what it requires
  /// ("--score raps"). Empty: it has an effect.
  std::string idle_without = {};
  /// Rarely changed: forms show it collapsed.
  bool advanced = false;
};

/// Where the value of an option is stored. An empty optional means "automatic", an empty list
/// "all".
using FieldValue = std::variant<bool*, std::int64_t*, double*, std::string*, std::optional<double>*,
                                std::optional<std::int64_t>*, std::vector<std::int64_t>*>;

/// One option of an options struct.
struct Field {
  FieldInfo info;
  FieldValue value;
};

// An options struct lists its fields once:
//
//   struct McDropoutOptions {
//     std::int64_t draws = 50;
//     std::vector<Field> fields() {
//       return {{{.name = "draws", .label = "Draws", .help = "number of stochastic passes",
//                 .min = 1, .max = 1e6}, &draws}};
//     }
//     Status check() const;   // checkFields(...) and rules that involve several fields
//   };
//
// The command line, the forms of the window, the JSON and the metadata of a run are all generated
// from that list.

/// Checks every value against its range and choices; the error names the flag and the allowed
/// values.
[[nodiscard]] Status checkFields(const std::vector<Field>& fields);

/// {"draws": 50, ...}; an empty optional is null.
[[nodiscard]] nlohmann::json fieldsToJson(const std::vector<Field>& fields);

/// Sets the fields that are in `object`; unknown keys and wrong types are errors that name the key.
[[nodiscard]] Status fieldsFromJson(const nlohmann::json& object, const std::vector<Field>& fields);

/// The command-line flag of a field: "--drop-rate".
[[nodiscard]] std::string flagOf(const FieldInfo& info);

}  // namespace dubito
