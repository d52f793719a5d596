// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/calibration_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/run_identity.h"
#include "core/data/overlap/run_overlap.h"
#include "core/io/calibration_transfer.h"
#include "core/io/join_runs.h"

namespace dubito::cli {
namespace {

/// See addMissing(); a text becomes a note without a kind.
template <class Given, class Kept>
void addNew(const std::vector<Given>& more, std::vector<Kept>& notes) {
  for (const Given& given : more) {
    Kept note(given);
    if (std::ranges::find(notes, note) == notes.end()) {
      notes.push_back(std::move(note));
    }
  }
}

}  // namespace

void addMissing(const std::vector<std::string>& more, std::vector<std::string>& notes) {
  addNew(more, notes);
}

void addMissing(const std::vector<std::string>& more, std::vector<Note>& notes) {
  addNew(more, notes);
}

void addMissing(const std::vector<Note>& more, std::vector<Note>& notes) {
  addNew(more, notes);
}

void CalibrationPairFlags::declare(CLI::App& app, Calibration wanted) {
  app.add_option("run", run, "run file, or predictions: npz, npy (PROBS.npy,LABELS.npy), csv")
      ->required();
  app.add_option("--calibration", calibration,
                 "run of the same method on labelled items that are not in RUN")
      ->required(wanted == Calibration::kRequired);
  app.add_flag("--allow-same-split", allow_same_split,
               "accept runs that share items; noted in the result");
  input.declare(app);
}

Expected<CalibrationPair> CalibrationPairFlags::open(RunContext& context) const {
  auto opened = input.open(run, context);
  if (!opened) {
    return failWith(opened);
  }
  auto calibrating = input.open(calibration, context);
  if (!calibrating) {
    return failWith(calibrating);
  }
  CalibrationPair pair{*std::move(opened), *std::move(calibrating), {}};
  if (Status same = sameClasses({pair.run, run}, {pair.calibration, calibration}); !same) {
    return failWith(same);
  }
  const auto overlap = findOverlap(pair.calibration, pair.run, context);
  if (!overlap) {
    return failWith(overlap);
  }
  auto notes = checkSharedItems(overlap->shared, "calibration", calibration, run, allow_same_split);
  if (!notes) {
    return failWith(notes);
  }
  pair.comparable = notes->empty();
  pair.notes.assign(notes->begin(), notes->end());
  if (!overlap->doubt.empty()) {
    pair.notes.push_back(fmt::format("cannot check whether {} and {} share items: {}", run,
                                     calibration, overlap->doubt));
  }
  if (!calibrationTransfers(pair.run.meta, pair.calibration.meta)) {
    pair.comparable = false;
    pair.notes.push_back(fmt::format(
        "{} was computed with {} and {}, {} with {} and {}{}: results on one may not hold for the "
        "other",
        run, pair.run.meta.method, pair.run.meta.model_name, calibration,
        pair.calibration.meta.method, pair.calibration.meta.model_name,
        sameNetwork(pair.run.meta, pair.calibration.meta) ? "" : " (a different network)"));
  }
  for (const Run* const one : {&pair.run, &pair.calibration}) {
    addMissing(one->meta.notes, pair.notes);
  }
  return pair;
}

void CalibrationPairFlags::addTo(nlohmann::json& object, const CalibrationPair& pair) const {
  object["run"] = identityToJson(run, pair.run);
  object["calibration"]["run"] = identityToJson(calibration, pair.calibration);
  object["allow_same_split"] = allow_same_split;
  object["notes"] = textsOf(pair.notes);
}

}  // namespace dubito::cli
