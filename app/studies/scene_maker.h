// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/context/scenes.h"
#include "core/io/run.h"

namespace dubito::study {

/// Items arranged in scenes.
struct Assembled {
  Run run;
  Scenes scenes;
};

/// Draws scenes from counts and fills them with items of a pool.
class SceneMaker {
 public:
  /// `rows` are the rows of `pool` to use, `counts` [K, K] those of its classes. Both outlive this.
  SceneMaker(const Run& pool, std::span<const std::int64_t> rows, const Array<double>& counts);

  /// The first object by the frequency of its class, each further one by how often its class is
  /// together with that of the first: no model of context generates such scenes.
  [[nodiscard]] Assembled make(std::int64_t scenes, std::int64_t objects, std::mt19937_64& random,
                               const RunContext& context) const;

  /// The first class without an item; -1 if all have some.
  [[nodiscard]] std::int64_t emptyClass() const;

 private:
  [[nodiscard]] std::int64_t itemOf(std::size_t label, std::mt19937_64& random) const;

  const Run& pool_;
  const Array<double>& counts_;
  std::vector<std::vector<std::int64_t>> of_class_;
};

}  // namespace dubito::study
