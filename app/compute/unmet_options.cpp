// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compute/unmet_options.h"

#include "app/session/error_text.h"
#include "widgets/options_form.h"

namespace dubito {

void showUnmetOptions(const std::vector<Field>& fields, OptionsForm& form) {
  for (const Field& field : fields) {
    form.setInactive(QString::fromStdString(field.info.name),
                     requirementText(field.info.unmet_requirement));
  }
}

}  // namespace dubito
