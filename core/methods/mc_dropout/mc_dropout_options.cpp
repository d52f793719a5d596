// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/mc_dropout/mc_dropout_options.h"

namespace dubito {

std::vector<Field> McDropoutOptions::fields() {
  return {
      {{.name = "draws",
        .label = "Draws",
        .help = "number of stochastic passes T",
        .min = 1,
        .max = 1e6},
       &draws},
      {{.name = "drop_rate",
        .label = "Drop rate",
        .help = "probability of dropping a unit at every chosen site; by default each site's own",
        .min = 0.0,
        .max = 0.999},
       &drop_rate},
      {{.name = "sites",
        .label = "Dropout sites",
        .help = "numbers of the dropout sites to switch on; by default all that the program does "
                "not switch off itself",
        .min = 0},
       &sites},
      {{.name = "masks",
        .label = "Masks",
        .help = "one mask per item, or one mask per draw shared by all items (each draw is one "
                "function)",
        .choices = {"per-item", "shared"},
        .advanced = true},
       &masks},
      {{.name = "insert",
        .label = "Insert site",
        .help = "insert a dropout site before the head",
        .choices = {"auto", "always", "never"},
        .advanced = true},
       &insert},
      {{.name = "insert_rate",
        .label = "Inserted rate",
        .help = "drop rate of an inserted site",
        .min = 0.0,
        .max = 0.999,
        .unmet_requirement = allUnless(insert != "never", {setting("insert", "auto or always")}),
        .advanced = true},
       &insert_rate},
      {{.name = "unusable",
        .label = "Unusable sites",
        .help = "what the network draws in training but cannot be drawn by seed and item: refuse "
                "the run, or leave it off and note that",
        .choices = {"refuse", "off"},
        .advanced = true},
       &unusable},
  };
}

Status McDropoutOptions::check() const {
  McDropoutOptions copy = *this;
  return checkFields(copy.fields());
}

}  // namespace dubito
