// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/options.h"
#include "core/study/json_source.h"

namespace dubito {

/// Sets the fields that are members of `object`, except the members `others`. Throws JsonFault,
/// naming the member, for an unknown one (`what` has no such option), a wrong type and a value out
/// of range.
void readFields(const JsonNode& object, const std::vector<Field>& fields, const std::string& what,
                const std::vector<std::string>& others = {});

/// Throws JsonFault with the error at `node`.
void requireOk(const JsonNode& node, const Status& status);

/// The message of an error with its settings in parentheses, as a study file names them: "...; use
/// the last layer (layers: last)". A key that the message has already is not repeated. For texts
/// that are kept: the file of a study or its failures, which do without flags and forms.
[[nodiscard]] std::string studyErrorText(const Error& error);

}  // namespace dubito
