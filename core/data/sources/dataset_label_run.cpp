// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/dataset_label_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/nan.h"
#include "core/io/run_needs.h"

namespace dubito {

Expected<Run> datasetLabelRun(const Dataset& dataset) {
  const DatasetInfo& info = dataset.info();
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    if (dataset.labels()[static_cast<std::size_t>(i)] >= 0) {
      ids.push_back(dataset.ids()[static_cast<std::size_t>(i)]);
      labels.push_back(dataset.labels()[static_cast<std::size_t>(i)]);
    }
  }
  if (labels.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: its images have no labels; open the labels of another program for "
                            "them, or compute a run of a network",
                            info.name));
  }
  const std::int64_t largest = *std::ranges::max_element(labels);
  Run run;
  run.confidence = Array<double>::fromVector(std::vector<double>(labels.size(), kNaN));
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  run.predictions = Array<std::int64_t>::fromVector(labels);
  run.labels = Array<std::int64_t>::fromVector(std::move(labels));
  run.meta.method = kLabelsMethod;
  run.meta.dataset_spec = info.spec;
  run.meta.dataset_name = info.name;
  run.meta.class_names = info.class_names;
  for (std::int64_t k = 0; info.class_names.empty() && k <= largest; ++k) {
    run.meta.class_names.push_back(std::to_string(k));  // a run without probabilities names them
  }
  run.meta.notes.emplace_back(NoteKind::kLabelSource,
                              "the suggestions are the given labels, not from a network; accuracy "
                              "means something only with reviewed labels");
  if (const std::int64_t left_out = dataset.size() - run.itemCount(); left_out > 0) {
    run.meta.notes.push_back(
        fmt::format("{} of {} items have no label and are left out", left_out, dataset.size()));
  }
  return run;
}

}  // namespace dubito
