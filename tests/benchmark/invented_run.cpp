// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmark/invented_run.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <utility>

#include "core/data/items/dataset.h"
#include "core/io/run_file.h"

namespace dubito {
namespace {

[[noreturn]] void stop(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  std::exit(1);
}

}  // namespace

Run inventedRun(std::int64_t items, std::int64_t classes, const std::string& dataset) {
  std::mt19937_64 random(1);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<double> uniform;
  Run run;
  Array<float> probs = Array<float>::zeros({items, classes});
  run.labels = Array<std::int64_t>::zeros({items});
  run.ids = Array<std::int64_t>::zeros({items});
  run.predictions = Array<std::int64_t>::zeros({items});
  run.confidence = Array<double>::zeros({items});
  Array<double> entropy = Array<double>::zeros({items});
  Array<double> expected = Array<double>::zeros({items});
  Array<double> information = Array<double>::zeros({items});
  for (std::int64_t i = 0; i < items; ++i) {
    const std::span<float> row = probs.mutableRow(i);
    run.ids.mutableData()[i] = i;
    run.labels.mutableData()[i] = i % classes;
    double sum = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k] = std::exp(2.0F * normal(random) +
                        (static_cast<std::int64_t>(k) == i % classes ? 4.0F : 0.0F));
      sum += row[k];
    }
    double h = 0.0;
    for (float& p : row) {
      p = static_cast<float>(p / sum);
      h -= p > 0.0F ? p * std::log(p) : 0.0;
    }
    const auto top = std::ranges::max_element(row);
    run.predictions.mutableData()[i] = top - row.begin();
    run.confidence.mutableData()[i] = *top;
    entropy.mutableData()[i] = h;
    information.mutableData()[i] = 0.4 * h * uniform(random);
    expected.mutableData()[i] = h - information.data()[i];
  }
  run.probs = std::move(probs);
  run.entropy = std::move(entropy);
  run.expected_entropy = std::move(expected);
  run.mutual_information = std::move(information);
  run.meta.method = "mc-dropout";
  run.meta.dataset_name = "invented";
  run.meta.dataset_spec = dataset;
  return run;
}

void writeInventedRun(std::int64_t classes, const std::string& dataset, const std::string& path) {
  RunContext context;
  const auto opened = openDataset(dataset, context);
  if (!opened) {
    stop(opened.error());
  }
  Run run = inventedRun((*opened)->size(), classes, dataset);
  std::ranges::copy((*opened)->ids(), run.ids.mutableData());
  if (const Status written = writeRun(run, path, context); !written) {
    stop(written.error());
  }
}

}  // namespace dubito
