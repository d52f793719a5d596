// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/any_array.h"
#include "core/io/given_classes.h"

namespace dubito {

/// Labels of a dataset, and the names of its classes if the labels are names.
struct StoredLabels {
  std::vector<std::int64_t> numbers;     ///< -1: unknown
  std::vector<std::string> class_names;  ///< in the order of the numbers; empty: only numbers
};

/// Labels in any of the forms of parseClasses. Names are numbered in alphabetical order, with a
/// note. Fails with kMalformed for anything else, and for numbers below -1; the message begins with
/// given.name.
[[nodiscard]] Expected<StoredLabels> storedLabels(const GivenClasses& given,
                                                  std::vector<std::string>& notes);

/// The values of `array` as class numbers, -1 if unknown. Fails with kMalformed for values that are
/// not integers or are below -1; the message begins with `name`.
[[nodiscard]] Expected<std::vector<std::int64_t>> labelsFromArray(const AnyArray& array,
                                                                  const std::string& name);

}  // namespace dubito
