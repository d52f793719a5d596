// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/relocate_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <unordered_map>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/data/items/dataset.h"
#include "core/data/sources/annotations_dataset.h"
#include "core/data/sources/dataset_fingerprint.h"

namespace dubito {

Status relocateRun(Run& run, const std::string& place, RunContext& context) {
  std::error_code ignored;
  const std::string labelled = std::filesystem::is_directory(place, ignored)
                                   ? annotationsSpecIn(run.meta.dataset_spec, place)
                                   : std::string();
  const std::string spec = labelled.empty() ? place : labelled;
  const auto dataset = openDataset(spec, context);
  if (!dataset) {
    return failWith(dataset);
  }
  const auto fingerprint = datasetFingerprint(spec, context);
  if (!fingerprint) {
    return failWith(fingerprint);
  }
  std::unordered_map<std::int64_t, std::int64_t> labels;
  for (std::size_t i = 0; i < (*dataset)->ids().size(); ++i) {
    labels.emplace((*dataset)->ids()[i], (*dataset)->labels()[i]);
  }
  std::int64_t missing = 0;
  std::int64_t differing = 0;
  std::int64_t first = -1;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    const std::int64_t id = run.ids.data()[i];
    const auto found = labels.find(id);
    if (found == labels.end()) {
      first = missing++ == 0 ? id : first;
      continue;
    }
    const std::int64_t given = run.labels.data()[i];
    differing += given >= 0 && found->second >= 0 && given != found->second ? 1 : 0;
  }
  if (missing > 0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: does not have {} of the {} items of the run, the first has the id "
                            "{}; give the folder in which the images have the same relative paths",
                            spec, missing, run.itemCount(), first));
  }
  if (differing > 0 && !fingerprint->empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has other labels for {} of the {} items of the run, so they are "
                            "not the same; give the dataset that the run was computed on",
                            spec, differing, run.itemCount()));
  }
  const DatasetInfo& info = (*dataset)->info();
  run.meta.notes.push_back(fmt::format("the images are now in {}, before in {}",
                                       inQuotes(info.spec), inQuotes(run.meta.dataset_spec)));
  run.meta.dataset_spec = info.spec;
  run.meta.dataset_name = info.name;
  return {};
}

}  // namespace dubito
