// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compute/unmet_options.h"

#include "app/session/window_words.h"
#include "widgets/options_form.h"

namespace dubito {

void showUnmetOptions(const std::vector<Field>& fields, OptionsForm& form) {
  for (const Field& field : fields) {
    form.setInactive(QString::fromStdString(field.info.name),
                     windowText(field.info.unmet_requirement));
  }
}

}  // namespace dubito
