// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/rotation/rotation_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/labs/rotation/rotation_path.h"

namespace dubito {
namespace {

std::vector<std::string> corruptionNames() {
  std::vector<std::string> names;
  for (const CorruptionKind kind : allCorruptions()) {
    names.push_back(toString(kind));
  }
  return names;
}

}  // namespace

std::vector<Field> RotationOptions::fields() {
  const Requirement without_corruption = allUnless(!isWalk(), {omitted("to")});
  const Requirement without_dropout =
      allUnless(method != "map", {setting("method", "other than map")});
  return {
      {{.name = "corruption",
        .label = "Change",
        .help = "what changes along the path",
        .choices = corruptionNames(),
        .unmet_requirement = without_corruption},
       &corruption},
      {{.name = "to",
        .label = "To item",
        .help = "number of another item, to which the path leads instead, linearly in the pixels",
        .min = 0,
        .max = 1e15},
       &to},
      {{.name = "end",
        .label = "Ends at",
        .help = "end of the path: degrees for the rotation (180), else severity (5)",
        .min = 0.0,
        .max = 360.0,
        .unmet_requirement = without_corruption},
       &end},
      {{.name = "steps",
        .label = "Steps",
        .help = "inputs along the path, both ends included",
        .min = 2,
        .max = 73},
       &steps},
      {{.name = "draws",
        .label = "T (draws)",
        .help = "passes with dropout at each step",
        .min = 1,
        .max = 1000,
        .unmet_requirement = without_dropout},
       &draws},
      {{.name = "likeliest",
        .label = "Classes",
        .help =
            "number of classes to show at least: the likeliest along the path, and all that are "
            "predicted anywhere on it",
        .min = 1,
        .max = 8,
        .unmet_requirement = allUnless(classes.empty(), {omitted("classes")})},
       &likeliest},
      {{.name = "classes",
        .label = "These classes",
        .help = "numbers of the classes to show, in place of the likeliest",
        .min = 0,
        .max = 1e9,
        .advanced = true},
       &classes},
      {{.name = "method",
        .label = "Method",
        .help = "auto: MC dropout if the model has dropout, else one pass without",
        .choices = {"auto", "mc-dropout", "map"},
        .advanced = true},
       &method},
      {{.name = "drop_rate",
        .label = "Drop rate",
        .help = "drop rate of all sites; by default each site's own",
        .min = 0.0,
        .max = 0.99,
        .unmet_requirement = without_dropout,
        .advanced = true},
       &drop_rate}};
}

Status RotationOptions::check() const {
  RotationOptions copy = *this;
  if (Status checked = checkFields(copy.fields()); !checked) {
    return checked;
  }
  if (!isWalk() && end && kind() != CorruptionKind::kRotation && *end > Corruption::kMaxSeverity) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the path ends at {}, above the largest severity of {}; use at most {}",
                            *end, corruption, Corruption::kMaxSeverity),
                {setting("end")});
  }
  if (end == 0.0) {
    return fail(ErrorCode::kInvalidArgument,
                "the path ends at 0 and has no length; use a number above 0", {setting("end")});
  }
  return {};
}

CorruptionKind RotationOptions::kind() const {
  for (const CorruptionKind one : allCorruptions()) {
    if (!isWalk() && toString(one) == corruption) {
      return one;
    }
  }
  throw std::logic_error("RotationOptions: no corruption");
}

}  // namespace dubito
