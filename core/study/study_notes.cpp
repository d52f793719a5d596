// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace dubito {
namespace {

/// Where the runs of a row have the same note.
struct NotePlaces {
  std::size_t row = 0;
  Note note;
  std::set<std::size_t> targets = {};
  std::set<std::uint64_t> seeds = {};
};

std::vector<NotePlaces> placesOfNotes(const StudyFolder& study) {
  std::vector<NotePlaces> places;
  for (const StudyCell& cell : study.results.cells) {
    for (const StudyCellRuns& runs : cell.runs) {
      for (const Note& note : runs.notes) {
        auto place = std::ranges::find_if(
            places, [&](const NotePlaces& one) { return one.row == cell.row && one.note == note; });
        if (place == places.end()) {
          place = places.insert(places.end(), {.row = cell.row, .note = note});
        }
        place->targets.insert(cell.target);
        place->seeds.insert(runs.seed);
      }
    }
  }
  std::ranges::stable_sort(places, {}, &NotePlaces::row);
  return places;
}

}  // namespace

std::vector<std::string> studyNotes(const StudySpec& spec) {
  std::vector<std::string> notes;
  const auto has = [&spec](const auto& condition) {
    return std::ranges::any_of(spec.rows, condition);
  };
  const bool shares = std::ranges::any_of(spec.seeds, [&](std::uint64_t seed) {
    return has([&](const StudyRow& row) {
      return row.members > 1 && std::ranges::any_of(spec.seeds, [&](std::uint64_t other) {
               return other > seed && other - seed < static_cast<std::uint64_t>(row.members);
             });
    });
  });
  if (shares) {
    notes.emplace_back(
        "Ensembles of neighbouring seeds share members, so that their standard deviation over "
        "seeds "
        "is smaller than that of independent ensembles. Seeds that are at least as far apart as "
        "there "
        "are members avoid this.");
  }
  if (spec.labelling && has([](const StudyRow& row) {
        return inputsUsedBy(row.options).calibration || !row.grid.empty();
      })) {
    notes.emplace_back(
        "Methods that are fitted on labelled items (temperature, a grid by NLL) choose the "
        "threshold "
        "of automatic labelling on the same items; with one or two fitted numbers, this changes "
        "the "
        "guarantee little.");
  }
  if (spec.seeds.size() == 1) {
    notes.emplace_back(
        "With one seed there is no standard deviation, and the intervals are over items only.");
  }
  return notes;
}

std::vector<Note> notesOfRuns(const StudyFolder& study) {
  std::vector<Note> notes;
  for (const NotePlaces& place : placesOfNotes(study)) {
    std::vector<std::string> targets;
    for (const std::size_t target : place.targets) {
      targets.push_back(study.targets[target].name);
    }
    const std::string on = place.targets.size() < study.targets.size()
                               ? fmt::format(" on {}", fmt::join(targets, ", "))
                               : std::string();
    const std::string seeds =
        place.seeds.size() < study.seeds.size()
            ? fmt::format(", {} {}", place.seeds.size() == 1 ? "seed" : "seeds",
                          fmt::join(place.seeds, ", "))
            : std::string();
    notes.push_back(takenFrom(study.rows[place.row].name() + on + seeds, place.note));
  }
  return notes;
}

}  // namespace dubito
