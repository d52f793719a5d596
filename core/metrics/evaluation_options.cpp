// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "core/metrics/evaluation.h"

namespace dubito {

std::vector<Field> EvaluationOptions::fields() {
  return {{{.name = "bins",
            .label = "Bins",
            .help = "equal-width bins of the reliability diagram",
            .min = 1,
            .max = 1000},
           &bins},
          {{.name = "scores",
            .label = "Scores",
            .help = "measures that rank the items, separated by commas; all: every measure of how "
                    "certain a prediction is; by default " +
                    keysText(defaultMeasures()),
            .advanced = true},
           &scores}};
}

Status EvaluationOptions::check() const {
  EvaluationOptions copy = *this;
  if (Status status = checkFields(copy.fields()); !status || scores.empty()) {
    return status;
  }
  if (const auto measures = measuresOfKeys(scores); !measures) {
    Error error = measures.error();
    error.remedy.settings.push_back(setting("scores"));
    return failOf("Scores", std::move(error));
  }
  return {};
}

std::vector<Measure> EvaluationOptions::measures() const {
  return scores.empty() ? defaultMeasures() : measuresOfKeys(scores).value();
}

}  // namespace dubito
