// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/context_options.h"

namespace dubito {

std::vector<Field> ContextOptions::fields() {
  return {
      {{.name = "measure",
        .label = "Measure",
        .help = "score of two classes: logarithm of their smoothed joint frequency, or pointwise "
                "mutual information",
        .choices = {"log", "pmi"}},
       &measure},
      {{.name = "weight",
        .label = "Weight",
        .help = "factor of the scores; 0: no context",
        .min = 0.0,
        .max = 1e6},
       &weight},
      {{.name = "smoothing",
        .label = "Smoothing",
        .help = "added to every count",
        .min = 0.0,
        .max = 1e12,
        .advanced = true},
       &smoothing},
      {{.name = "same_class",
        .label = "Same class",
        .help = "pairs of one class: as counted, as independent objects, or auto (independent if "
                "the table counts none)",
        .choices = {"auto", "counted", "independent"},
        .advanced = true},
       &same_class},
      {{.name = "damping",
        .label = "Damping",
        .help =
            "share of the old message kept in the first steps of loopy belief propagation; grows "
            "while these swing",
        .min = 0.0,
        .max = 0.99,
        .advanced = true},
       &damping},
      {{.name = "iterations",
        .label = "Iterations",
        .help = "most steps of loopy belief propagation in a scene",
        .min = 1,
        .max = 1e7,
        .advanced = true},
       &iterations},
      {{.name = "tolerance",
        .label = "Tolerance",
        .help = "largest change of a log message at which belief propagation has converged",
        .unit = "nats",
        .min = 1e-14,
        .max = 1.0,
        .advanced = true},
       &tolerance},
  };
}

Status ContextOptions::check() const {
  ContextOptions copy = *this;
  return checkFields(copy.fields());
}

}  // namespace dubito
