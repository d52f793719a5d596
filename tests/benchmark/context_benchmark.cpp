// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes of photographs under COCO's counts, with DUBITO_SHARED; "coco": of 2 to 20 objects, 6.9 on
// average, else of ten objects. The argument is the weight in hundredths.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/context/scene_model.h"
#include "core/io/csv.h"
#include "core/measures/measures.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

constexpr std::int64_t kClasses = 80;
constexpr int kScenes = 100;
/// Columns before the counts: name and number of images.
constexpr std::size_t kNames = 2;

Cooccurrence cocoCounts(const std::string& folder) {
  auto reader =
      CsvReader::open(folder + "/datasets/context/coco_train2014_cooccurrence.csv").value();
  auto counts = Array<double>::zeros({kClasses, kClasses});
  std::vector<std::string_view> fields;
  for (std::int64_t row = 0; reader.next(fields).value(); ++row) {
    std::transform(fields.begin() + kNames, fields.end(), counts.mutableRow(row).begin(),
                   [](std::string_view field) { return parseNumber(field).value(); });
  }
  return {.counts = counts, .source = "coco"};
}

/// Log probabilities of objects whose classes are drawn like those of `context-scenes`, by a
/// network that is right two times in three.
Array<double> makeScene(const Array<double>& counts, std::int64_t objects,
                        std::mt19937_64& random) {
  std::vector<double> frequency;
  for (std::int64_t k = 0; k < kClasses; ++k) {
    frequency.push_back(std::accumulate(counts.row(k).begin(), counts.row(k).end(), 0.0));
  }
  const auto draw = [&](std::span<const double> weights) {
    return std::discrete_distribution<std::int64_t>(weights.begin(), weights.end())(random);
  };
  const std::int64_t first = draw(frequency);
  auto scene = Array<double>::zeros({objects, kClasses});
  for (std::int64_t i = 0; i < objects; ++i) {
    const std::int64_t label = i == 0 ? first : draw(counts.row(first));
    std::vector<double> logits(static_cast<std::size_t>(kClasses));
    std::ranges::generate(logits, [&] { return std::normal_distribution<double>()(random); });
    logits[static_cast<std::size_t>(label)] +=
        std::uniform_real_distribution<double>(0.0, 16.0)(random);
    std::ranges::copy(logSoftmax(std::span<const double>(logits)), scene.mutableRow(i).begin());
  }
  return scene;
}

void context(benchmark::State& state, bool of_coco) {
  const auto folder = test::sharedDir();
  if (!folder) {
    state.SkipWithError("set DUBITO_SHARED");
    return;
  }
  const Cooccurrence counts = cocoCounts(folder->string());
  const auto scores = pairScores(counts, {.measure = "pmi"}).value();
  const auto factors =
      PairFactors::create(scores, static_cast<double>(state.range(0)) / 100.0).value();
  std::mt19937_64 random(1);
  std::geometric_distribution<std::int64_t> more(1.0 / 6.3);
  std::vector<Array<double>> scenes;
  for (int s = 0; s < kScenes; ++s) {
    const std::int64_t objects = of_coco ? std::min<std::int64_t>(20, 2 + more(random)) : 10;
    scenes.push_back(makeScene(counts.counts, objects, random));
  }
  std::vector<double> solved(5);
  for (auto _ : state) {
    std::ranges::fill(solved, 0.0);
    for (const Array<double>& scene : scenes) {
      const ScenePairs pairs = everyPair(scene.extent(0));
      const SceneMarginals marginals = sceneMarginals({scene, pairs, factors}, {});
      solved[static_cast<std::size_t>(marginals.solution)] += 1.0;
    }
  }
  state.counters["exact"] = solved[0] + solved[1];
  state.counters["searched"] = solved[2];
  state.counters["converged"] = solved[3];
  state.counters["not_converged"] = solved[4];
}

BENCHMARK_CAPTURE(context, coco, true)
    ->Name("context/coco")
    ->ArgsProduct({{10, 25, 50, 100}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(context, ten, false)
    ->Name("context/ten")
    ->ArgsProduct({{10, 25, 50, 100}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dubito
