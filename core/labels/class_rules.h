// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "core/labels/label_class.h"

namespace dubito {

/// What is wrong with a class itself, as "the class name is empty; give one"; empty if nothing is.
[[nodiscard]] std::string wrongWithClass(const LabelClass& one);
/// What is wrong with the classes together: names and keys used twice by classes that are not
/// merged, merges into unknown classes or in a circle; empty if nothing is.
[[nodiscard]] std::string wrongWithClasses(std::span<const LabelClass> classes);

}  // namespace dubito
