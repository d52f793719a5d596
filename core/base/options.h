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
  /// The number at first; empty: the form has none.
  std::optional<double> number = {};
  /// Open range of the number.
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
};

/// What a person is told about one option, and what values it takes.
struct FieldInfo {
  /// snake_case; the command-line flag is the same with dashes, the JSON key is the name itself.
  std::string name;
  /// A short label for forms, in sentence case.
  std::string label;
  /// Meaning, in one sentence without a full stop.
  std::string help;
  /// Unit that follows the number, or empty.
  std::string unit = {};
  /// Closed range of numbers.
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  /// The only values that a text may take; empty: any.
  std::vector<std::string> choices = {};
  /// The ways to write a text, for a form to choose from; empty: it is typed.
  std::vector<TextForm> forms = {};
  /// What would have to be chosen for this option to have an effect ("--score raps"), where the
  /// present values of the others leave it without one; empty: it has one.
  std::string idle_without = {};
  /// Rarely changed: forms show it folded away.
  bool advanced = false;
};

/// Where the value of an option lives. An empty optional means "chosen automatically"; an empty
/// list "all".
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
//       return {{{.name = "draws", .label = "Draws", .help = "number of stochastic passes", .min =
//       1, .max = 1e6}, &draws}};
//     }
//     Status check() const;   // checkFields(...) and whatever one field cannot say
//   };
//
// The command line, the form in the window, the JSON and the metadata of a run are all made from
// that list.

/// Every value inside its range and among its choices; the error names the flag and what it takes.
[[nodiscard]] Status checkFields(const std::vector<Field>& fields);

/// {"draws": 50, ...}; an empty optional is null.
[[nodiscard]] nlohmann::json fieldsToJson(const std::vector<Field>& fields);

/// Sets the fields that `object` holds; unknown keys and wrong types are errors that name the key.
[[nodiscard]] Status fieldsFromJson(const nlohmann::json& object, const std::vector<Field>& fields);

/// The command-line flag of a field: "--drop-rate".
[[nodiscard]] std::string flagOf(const FieldInfo& info);

}  // namespace dubito
