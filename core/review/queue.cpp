// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/queue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <tuple>

#include "core/base/collect_parts.h"
#include "core/io/run_needs.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {
namespace {

/// Whether an item can be queued, or why it cannot.
enum ItemState : std::uint8_t { kNotChosenRow = 0, kQueueable = 1, kSettled = 2 };

std::vector<std::uint8_t> chosenStates(const Run& run, std::span<const std::int64_t> only_rows) {
  const auto items = static_cast<std::size_t>(run.itemCount());
  std::vector<std::uint8_t> states(items, only_rows.empty() ? kQueueable : kNotChosenRow);
  for (const std::int64_t row : only_rows) {
    if (row < 0 || row >= run.itemCount()) {
      throw std::out_of_range("buildQueue: a row is outside of the run");
    }
    states[static_cast<std::size_t>(row)] = kQueueable;
  }
  return states;
}

void markSettled(const Run& run, std::span<const std::int64_t> settled_ids,
                 const RunContext& context, std::vector<std::uint8_t>& states) {
  std::vector<std::int64_t> settled(settled_ids.begin(), settled_ids.end());
  if (!std::ranges::is_sorted(settled)) {
    std::ranges::sort(settled);
  }
  const std::int64_t* const ids = run.ids.data();
  context.parallelFor(run.itemCount(), kItemsPerPart, [&](std::int64_t begin, std::int64_t end) {
    // Neighbouring rows mostly have neighbouring ids.
    auto next = settled.begin();
    for (std::int64_t i = begin; i < end; ++i) {
      if (next == settled.end() || *next != ids[i]) {
        next = std::ranges::lower_bound(settled, ids[i]);
      }
      if (next != settled.end() && *next == ids[i]) {
        if (std::uint8_t& state = states[static_cast<std::size_t>(i)]; state == kQueueable) {
          state = kSettled;
        }
        ++next;
      }
    }
  });
}

/// An item in its place; ascending order is that of the queue.
struct Place {
  std::uint64_t key = 0;
  std::int64_t id = 0;
  std::int64_t row = 0;

  friend bool operator<(const Place& a, const Place& b) {
    return std::tie(a.key, a.id) < std::tie(b.key, b.id);
  }
};

/// Sorts parts on the context's threads and merges them in pairs.
void sortPlaces(std::vector<Place>& places, const RunContext& context) {
  const auto n = static_cast<std::int64_t>(places.size());
  const auto position = [&](std::int64_t i) { return places.begin() + std::min(i, n); };
  context.parallelFor(n, kItemsPerPart, [&](std::int64_t begin, std::int64_t end) {
    if (!context.cancelRequested()) {
      std::sort(position(begin), position(end));
    }
  });
  for (std::int64_t width = kItemsPerPart; width < n && !context.cancelRequested(); width *= 2) {
    context.parallelFor(n, 2 * width, [&](std::int64_t begin, std::int64_t end) {
      std::inplace_merge(position(begin), position(begin + width), position(end));
    });
  }
}

std::vector<Place> placesOf(const Run& run, const QueueKind& kind, const QueueScores& scores,
                            const std::vector<std::uint8_t>& states, Queue& queue) {
  const double* const order = scores.order.empty() ? scores.values.data() : scores.order.data();
  std::vector<Place> places;
  places.reserve(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    if (states[i] != kQueueable) {
      ++(states[i] == kSettled ? queue.settled : queue.not_chosen);
    } else if (std::isnan(order[row]) || std::isnan(scores.values.data()[row])) {
      ++queue.without_score;
    } else {
      const std::uint64_t key = SortedScores::keyOf(order[row]);
      places.push_back({kind.high_first ? ~key : key, run.ids.data()[row], row});
    }
  }
  return places;
}

}  // namespace

std::vector<Field> QueueOptions::fields() {
  return {
      {{.name = "by", .label = "Order", .help = "which items come first", .choices = queueKeys()},
       &by},
      {{.name = "limit",
        .label = "Limit",
        .help = "largest number of items; 0: all",
        .min = 0.0,
        .max = 1e12},
       &limit}};
}

Status QueueOptions::check() const {
  QueueOptions copy = *this;
  return checkFields(copy.fields());
}

Expected<Queue> buildQueue(const Run& run, const QueueOptions& options, const QueueInputs& inputs,
                           RunContext& context) {
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  const QueueKind& kind = describe(queueOfKey(options.by).value());
  std::vector<std::uint8_t> states = chosenStates(run, inputs.only_rows);
  const bool leaves_out_settled = !kind.revisits && !inputs.settled_ids.empty();
  if (leaves_out_settled) {
    markSettled(run, inputs.settled_ids, context, states);
  }
  std::vector<std::uint8_t> can_queue;
  if (leaves_out_settled || !inputs.only_rows.empty()) {
    can_queue.resize(states.size());
    std::ranges::transform(states, can_queue.begin(), [](std::uint8_t state) {
      return static_cast<std::uint8_t>(state == kQueueable ? 1 : 0);
    });
  }
  auto scores = kind.compute({run, inputs, can_queue, options.limit}, context);
  if (context.cancelRequested()) {
    return cancelled();
  }
  if (!scores) {
    return failWith(scores);
  }
  if (scores->values.size() != run.itemCount() ||
      (!scores->order.empty() && scores->order.size() != run.itemCount()) ||
      (!scores->in_first_part.empty() && std::ssize(scores->in_first_part) != run.itemCount())) {
    throw std::logic_error("buildQueue: a queue gives a different number of scores than items");
  }
  const bool of_labels = run.meta.method == kLabelsMethod && !kind.why_of_labels.empty();
  Queue queue{.key = kind.key, .name = kind.name, .why = of_labels ? kind.why_of_labels : kind.why};
  queue.items = run.itemCount();
  queue.notes = std::move(scores->notes);
  std::vector<Place> places = placesOf(run, kind, *scores, states, queue);
  if (options.limit > 0 && options.limit < static_cast<std::int64_t>(places.size())) {
    queue.beyond_limit = static_cast<std::int64_t>(places.size()) - options.limit;
    std::nth_element(places.begin(), places.begin() + options.limit, places.end());
    places.resize(static_cast<std::size_t>(options.limit));
  }
  sortPlaces(places, context);
  if (context.cancelRequested()) {
    return cancelled();
  }
  if (!scores->in_first_part.empty()) {
    queue.first_part = std::ranges::count_if(places, [&](const Place& place) {
      return scores->in_first_part[static_cast<std::size_t>(place.row)] != 0;
    });
    queue.first_part_name = kind.first_part;
  }
  queue.rows.reserve(places.size());
  queue.ids.reserve(places.size());
  queue.scores.reserve(places.size());
  for (const Place& place : places) {
    queue.rows.push_back(place.row);
    queue.ids.push_back(place.id);
    queue.scores.push_back(scores->values.data()[place.row]);
  }
  return queue;
}

}  // namespace dubito
