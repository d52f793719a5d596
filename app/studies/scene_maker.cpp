// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/scene_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "core/runs/run_rows.h"

namespace dubito::study {

SceneMaker::SceneMaker(const Run& pool, std::span<const std::int64_t> rows,
                       const Array<double>& counts)
    : pool_(pool), counts_(counts), of_class_(static_cast<std::size_t>(counts.extent(0))) {
  for (const std::int64_t row : rows) {
    if (const std::int64_t label = pool.labels.data()[row]; label >= 0) {
      of_class_[static_cast<std::size_t>(label)].push_back(row);
    }
  }
}

Assembled SceneMaker::make(std::int64_t scenes, std::int64_t objects, std::mt19937_64& random,
                           const RunContext& context) const {
  std::vector<double> frequency;
  for (std::int64_t k = 0; k < counts_.extent(0); ++k) {
    const auto row = counts_.row(k);
    frequency.push_back(std::accumulate(row.begin(), row.end(), 0.0));
  }
  std::discrete_distribution<std::size_t> first(frequency.begin(), frequency.end());
  std::vector<std::int64_t> rows;
  std::vector<std::string> names;
  for (std::int64_t s = 0; s < scenes; ++s) {
    const std::size_t anchor = first(random);
    const auto together = counts_.row(static_cast<std::int64_t>(anchor));
    std::discrete_distribution<std::size_t> other(together.begin(), together.end());
    for (std::int64_t i = 0; i < objects; ++i) {
      rows.push_back(itemOf(i == 0 ? anchor : other(random), random));
      names.push_back(fmt::format("{}", s));
    }
  }
  Assembled assembled{rowsOfRun(pool_, rows, context), scenesByName(names, "the study")};
  // An item may be in several scenes.
  std::iota(assembled.run.ids.mutableValues().begin(), assembled.run.ids.mutableValues().end(),
            std::int64_t{0});
  return assembled;
}

std::int64_t SceneMaker::emptyClass() const {
  const auto found = std::ranges::find_if(of_class_, [](const auto& rows) { return rows.empty(); });
  return found == of_class_.end() ? -1 : found - of_class_.begin();
}

std::int64_t SceneMaker::itemOf(std::size_t label, std::mt19937_64& random) const {
  const std::vector<std::int64_t>& rows = of_class_[label];
  return rows[std::uniform_int_distribution<std::size_t>(0, rows.size() - 1)(random)];
}

}  // namespace dubito::study
