// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/choice_label.h"

#include <fmt/format.h>

namespace dubito {

std::string choiceLabel(const FieldInfo& info, const std::string& value) {
  for (const TextForm& form : info.forms) {
    if (!form.number && value == form.prefix) {
      return form.label;
    }
    if (form.number && !form.prefix.empty() && value.starts_with(form.prefix)) {
      return fmt::format("{} {}", form.label, value.substr(form.prefix.size()));
    }
  }
  return value;
}

}  // namespace dubito
