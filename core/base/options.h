// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// One allowed form of a text option: a word, a number, or a word followed by a number
/// ("mmc-drop=0.05").
struct TextForm {
  std::string prefix;  ///< the whole text if no number follows; empty for a number alone
  std::string label;   ///< short, for a drop-down list
  /// Default of the number; absent if the form has no number.
  std::optional<double> number = {};
  /// Exclusive bounds of the number.
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
};

/// Description of one option: texts for the user and allowed values.
struct FieldInfo {
  /// In snake_case, used as the JSON key. The command-line flag has dashes instead of underscores.
  std::string name = {};
  /// Short label for the window, in sentence case.
  std::string label = {};
  /// Meaning, in one sentence without a full stop.
  std::string help = {};
  /// Unit of the number, or empty.
  std::string unit = {};
  /// Inclusive bounds of the number.
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  /// Allowed texts; if empty, any text is allowed.
  std::vector<std::string> choices = {};
  /// Forms of the text that the window offers in a list; if empty, the user types the text.
  std::vector<TextForm> forms = {};
  /// If the current values of other options make this one ineffective: what it requires. Empty if
  /// it has an effect.
  Requirement unmet_requirement = {};
  /// Rarely changed: the window shows it in a collapsed section.
  bool advanced = false;
};

/// Pointer to the value of an option. An empty optional means "automatic", an empty list "all".
using FieldValue = std::variant<bool*, std::int64_t*, double*, std::string*, std::optional<double>*,
                                std::optional<std::int64_t>*, std::vector<std::int64_t>*>;

/// One option of an options struct.
struct Field {
  FieldInfo info;
  FieldValue value;
};

/// The option of which `value` is the value; `rest`: its other members.
[[nodiscard]] inline Field field(FieldValue value, std::string name, std::string label,
                                 std::string help, FieldInfo rest = {}) {
  rest.name = std::move(name);
  rest.label = std::move(label);
  rest.help = std::move(help);
  return {std::move(rest), value};
}

// An options struct lists its fields once:
//
//   struct McDropoutOptions {
//     std::int64_t draws = 50;
//     std::vector<Field> fields() {
//       return {field(&draws, "draws", "Draws", "number of stochastic passes",
//                     {.min = 1, .max = 1e6})};
//     }
//     Status check() const;   // checkFields(...) and rules that involve several fields
//   };
//
// The command line, the forms of the window, the JSON and the metadata of a run are all generated
// from that list.

/// Checks every value against its range and choices; kInvalidArgument names the label and the
/// allowed values.
[[nodiscard]] Status checkFields(const std::vector<Field>& fields);
/// checkFields() of the fields of an options struct.
template <class Options>
[[nodiscard]] Status checkFieldsOf(Options options) {
  return checkFields(options.fields());
}

/// {"draws": 50, ...}; an empty optional is null.
[[nodiscard]] nlohmann::json fieldsToJson(const std::vector<Field>& fields);

/// Sets the fields whose names are keys of `object`. kInvalidArgument, naming the key, for unknown
/// keys and values of the wrong type.
[[nodiscard]] Status fieldsFromJson(const nlohmann::json& object, const std::vector<Field>& fields);

/// The command-line flag of a field: "--drop-rate".
[[nodiscard]] std::string flagOf(const FieldInfo& info);

}  // namespace dubito
