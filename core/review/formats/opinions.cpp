// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/opinions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace dubito {
namespace {

/// The class that an opinion counts for: the class after merges, or that there is none.
std::optional<std::int64_t> opinionOf(const LabelRow& row, const ClassNames& names) {
  return row.class_id ? std::optional(names.merged(*row.class_id)) : std::nullopt;
}

/// The rows that are opinions, ascending: the newest of each named annotator and all others.
std::vector<std::size_t> opinionsOf(const LabelTable& table, std::span<const std::size_t> rows) {
  std::map<std::string, std::size_t> newest;
  std::vector<std::size_t> opinions;
  for (const std::size_t i : rows) {
    const LabelRow& row = table.rows[i];
    if (row.annotator.empty()) {
      opinions.push_back(i);
      continue;
    }
    const auto [known, is_new] = newest.emplace(row.annotator, i);
    if (!is_new && row.time_ms >= table.rows[known->second].time_ms) {
      known->second = i;
    }
  }
  for (const auto& [annotator, row] : newest) {
    opinions.push_back(row);
  }
  std::ranges::sort(opinions);
  return opinions;
}

}  // namespace

WeighedLabels weighLabels(const LabelTable& table, std::span<const std::size_t> rows) {
  if (rows.empty()) {
    throw std::invalid_argument("weighLabels: no rows");
  }
  if (rows.size() == 1) {
    return {.counts = rows.front()};
  }
  const ClassNames names(table.classes);
  const std::vector<std::size_t> opinions = opinionsOf(table, rows);
  struct Votes {
    std::size_t first = 0;
    int count = 0;
  };
  std::map<std::optional<std::int64_t>, Votes> votes;
  for (const std::size_t i : opinions) {
    Votes& of_class =
        votes.emplace(opinionOf(table.rows[i], names), Votes{.first = i}).first->second;
    ++of_class.count;
  }
  const Votes* best = nullptr;
  int largest = 0;
  for (const auto& [class_id, each] : votes) {
    largest = std::max(largest, each.count);
  }
  int with_largest = 0;
  for (const auto& [class_id, each] : votes) {
    if (each.count == largest) {
      ++with_largest;
      best = best == nullptr || each.first < best->first ? &each : best;
    }
  }
  WeighedLabels weighed{.counts = best->first,
                        .dropped = rows.size() - 1,
                        .differ = votes.size() > 1,
                        .tie = with_largest > 1};
  for (const std::size_t i : opinions) {
    if (i != weighed.counts && !table.rows[i].annotator.empty()) {
      weighed.others.push_back(i);
      --weighed.dropped;
    }
  }
  return weighed;
}

void WeighedItems::add(const WeighedLabels& weighed, const std::string& name,
                       const LabelTable& table, std::span<const std::size_t> rows) {
  dropped_ += static_cast<std::int64_t>(weighed.dropped);
  if (!weighed.differ) {
    return;
  }
  const ClassNames classes(table.classes);
  std::set<std::string> found;
  for (const std::size_t i : rows) {
    found.insert(table.rows[i].class_id ? classes.text(table.rows[i].class_id) : "no class");
  }
  (weighed.tie ? ties_ : majorities_)
      .push_back(fmt::format("{}: {}", name, fmt::join(found, ", ")));
}

void WeighedItems::addNotes(std::vector<LabelNote>& notes) {
  addNote(notes, "images with different labels; the majority counts", std::move(majorities_));
  addNote(notes, "images with different labels and no majority; the first counts",
          std::move(ties_));
  addNote(notes,
          "repeated labels, and labels without the name of a person next to others, left out",
          dropped_);
}

}  // namespace dubito
