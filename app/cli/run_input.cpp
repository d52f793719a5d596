// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_input.h"

#include <algorithm>
#include <iterator>

#include "app/cli/review/label_place.h"
#include "core/io/prediction_file.h"
#include "core/io/run_file.h"
#include "core/review/reviewed_labels.h"

namespace dubito::cli {

CLI::Option* RunInput::declare(CLI::App& app) {
  return app.add_flag("--verify", verify,
                      "verify the checksums of run files in full; by default arrays larger than "
                      "16 MiB are skipped");
}

Status RunInput::check(const std::string& spec, RunContext& context) const {
  return verify && isRunFile(spec) ? verifyRunFile(spec, context) : Status();
}

Expected<Run> RunInput::open(const std::string& spec, RunContext& context) const {
  if (Status sound = check(spec, context); !sound) {
    return failWith(sound);
  }
  return openPredictions(spec, context);
}

CLI::Option* RunInput::declareLabels(CLI::App& app) {
  return app.add_option(
      "--labels", labels,
      std::string("use the reviewed labels in place of the given ones; ") + kLabelPlaceHelp);
}

Expected<Run> RunInput::openLabelled(const std::string& spec, RunContext& context) const {
  auto run = open(spec, context);
  if (!run || labels.empty()) {
    return run;
  }
  const auto store = LabelStore::open(labels, StoreMode::kReadOnly);
  if (!store) {
    return failWith(store);
  }
  if (const Status fits = checkLabelsOf(**store, *run); !fits) {
    return failWith(fits);
  }
  const auto reviewed = readReviewedLabels(**store);
  if (!reviewed) {
    return failWith(reviewed);
  }
  auto changed = relabelled(*run, *reviewed);
  if (changed) {
    const ReviewedLabelSource& source = *changed->meta.reviewed_labels;
    changed->meta.notes.push_back(describe(source));
    std::ranges::move(notesOf(source), std::back_inserter(changed->meta.notes));
  }
  return changed;
}

}  // namespace dubito::cli
