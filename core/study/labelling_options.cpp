// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/labelling_options.h"

#include "core/metrics/measure.h"

namespace dubito {

std::vector<Field> LabellingOptions::fields() {
  std::vector<Field> all = selection.fields();
  std::erase_if(
      all, [this](const Field& field) { return field.value == FieldValue(&selection.target); });
  all.push_back({{.name = "measure",
                  .label = "Measure",
                  .help = "uncertainty measure; items with low values are labelled",
                  .choices = keysOf(allMeasures())},
                 &measure});
  return all;
}

Status LabellingOptions::check() const {
  LabellingOptions copy = *this;
  for (const double target : targets) {
    copy.selection.target = target;
    if (Status checked = copy.selection.check(); !checked) {
      return checked;
    }
  }
  return checkFields(copy.fields());
}

}  // namespace dubito
