// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/active_learning/options.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace dubito::study {

std::vector<Field> ActiveLearningOptions::fields() {
  std::vector<Field> fields = {
      {{.name = "pool",
        .label = "Pool",
        .help = "items that can be labelled, drawn from the training items",
        .min = 2,
        .max = 1e9},
       &pool},
      {{.name = "initial",
        .label = "Initial labels",
        .help = "items labelled at the start, equally many of each class",
        .min = 2,
        .max = 1e9},
       &initial},
      {{.name = "per_round",
        .label = "Labels per round",
        .help = "items labelled in each round",
        .min = 1,
        .max = 1e9},
       &per_round},
      {{.name = "draws",
        .label = "Draws",
        .help = "draws of MC dropout for each item of the pool",
        .min = 2,
        .max = 1e6},
       &draws},
      {{.name = "test_method",
        .label = "Test method",
        .help = "how test items are predicted",
        .choices = {"map", "mc-dropout"}},
       &test_method},
      {{.name = "test_share",
        .label = "Test share",
        .help = "share of the test items on which the accuracy is measured",
        .min = 1e-6,
        .max = 1},
       &test_share},
      {{.name = "steps",
        .label = "Steps",
        .help = "smallest number of training steps per round, rounded up to whole epochs",
        .min = 1,
        .max = 1e9},
       &steps},
  };
  std::vector<Field> of_training = training.fields();
  std::erase_if(of_training, [](const Field& field) {
    // Each round trains one network.
    return field.info.name == "epochs" || field.info.name.starts_with("swag") ||
           field.info.name.starts_with("snapshot");
  });
  for (Field& field : of_training) {
    if (field.info.name == "learning_rate") {
      field.info.help = "initial learning rate; by default 0.02, which suits sgd";
    }
  }
  std::ranges::move(of_training, std::back_inserter(fields));
  return fields;
}

Status ActiveLearningOptions::check() const {
  ActiveLearningOptions copy = *this;
  return checkFields(copy.fields());
}

TrainOptions ActiveLearningOptions::trainingOn(std::int64_t labels) const {
  const auto rounded_up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  TrainOptions options = training;
  const std::int64_t batches = rounded_up(labels, training.batch);
  options.batch = rounded_up(labels, batches);
  options.epochs = rounded_up(steps, batches);
  options.restart = true;
  return options;
}

nlohmann::json conditionsOf(ActiveLearningOptions options, const std::string& train_spec,
                            const std::string& test_spec, int threads) {
  nlohmann::json conditions = fieldsToJson(options.fields());
  conditions["train"] = train_spec;
  conditions["test"] = test_spec;
  conditions["threads"] = threads;
  conditions["batches"] = "even";  // others were made before options.batch became a largest size
  return conditions;
}

}  // namespace dubito::study
