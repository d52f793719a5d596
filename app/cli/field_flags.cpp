// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/field_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <type_traits>

#include "app/cli/command.h"
#include "app/cli/flag_text.h"
#include "app/cli/whole_number.h"
#include "core/base/overloaded.h"

namespace dubito::cli {
namespace {

std::string helpOf(const FieldInfo& info) {
  std::string help = info.help;
  if (!info.unit.empty()) {
    help += fmt::format(" ({})", info.unit);
  }
  if (!info.choices.empty()) {
    help += fmt::format(": {}", fmt::join(info.choices, " | "));
  }
  return help;
}

}  // namespace

Status rejectIneffectiveFlags(const std::vector<FlagUse>& uses) {
  for (const FlagUse& use : uses) {
    if (use.flag->count() > 0 && !use.unmet_requirement.empty()) {
      return usageError(fmt::format("{} has no effect here; it requires {}", use.flag->get_name(),
                                    flagText(use.unmet_requirement)));
    }
  }
  return {};
}

std::vector<FlagUse> FieldFlags::uses(const std::vector<Field>& fields,
                                      const Requirement& unmet_requirement) const {
  if (fields.size() != options.size()) {
    throw std::invalid_argument("FieldFlags::uses: fields differ from the declared ones");
  }
  std::vector<FlagUse> result;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    result.push_back({options[i], unmet_requirement.empty() ? fields[i].info.unmet_requirement
                                                            : unmet_requirement});
  }
  return result;
}

FieldFlags declareFields(CLI::App& app, const std::vector<Field>& fields,
                         const std::string& group) {
  FieldFlags flags;
  for (const Field& field : fields) {
    const std::string flag = flagOf(field.info);
    const std::string help = helpOf(field.info);
    CLI::Option* const option = std::visit(
        Overloaded{
            [&](bool* value) { return app.add_flag(flag, *value, help); },
            [&]<typename Number>(std::optional<Number>* value) {
              CLI::Option* const number = app.add_option(flag, *value, help);
              if constexpr (std::is_integral_v<Number>) {
                number->transform(wholeNumber<Number>());
              }
              return number;
            },
            [&](std::vector<std::int64_t>* value) {
              return app.add_option(flag, *value, help)
                  ->delimiter(',')
                  ->transform(wholeNumber<std::int64_t>());
            },
            [&](std::int64_t* value) {
              return app.add_option(flag, *value, help)
                  ->transform(wholeNumber<std::int64_t>())
                  ->capture_default_str();
            },
            [&](auto* value) { return app.add_option(flag, *value, help)->capture_default_str(); }},
        field.value);
    flags.options.push_back(option->group(group));
  }
  return flags;
}

}  // namespace dubito::cli
