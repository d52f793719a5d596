// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/sampler/sampler_runner.h"

#include <algorithm>
#include <utility>

namespace dubito {
namespace {

/// A transition takes microseconds, so its speeds count transitions, not seconds.
const std::vector<PlaybackSpeed>& samplerSpeeds() {
  static const std::vector<PlaybackSpeed> speeds{
      {QT_TRANSLATE_NOOP("Labs", "Slow"),
       QT_TRANSLATE_NOOP("Labs", "One transition at a time, four per second"), 0.0, 250, 1},
      {QT_TRANSLATE_NOOP("Labs", "Normal"),
       QT_TRANSLATE_NOOP("Labs", "Five transitions per picture"), 0.0, 25, 5},
      {QT_TRANSLATE_NOOP("Labs", "Fast"), QT_TRANSLATE_NOOP("Labs", "200 transitions per picture"),
       0.0, 25, 200}};
  return speeds;
}

}  // namespace

Status SamplerExperiment::advance(Lab& lab, const SlicePace& pace, UnitPacer& /*pacer*/,
                                  RunContext& context) {
  return lab.chains.advance(std::min(pace.units(), kMaxTransitions - lab.chains.transitions()),
                            context);
}

SamplerRunner::SamplerRunner(WorkerThread& worker, int threads, QObject* parent)
    : ExperimentRunner(worker, threads, samplerSpeeds(), parent) {}

void SamplerRunner::setPlace(std::optional<std::array<double, 2>> place) {
  place_ = place;
  restart();
}

SamplerRunner::Start SamplerRunner::starter() const {
  return [scene = scene_, options = options(), seed = seed(),
          place = place_](RunContext& context) mutable -> Expected<std::shared_ptr<Lab>> {
    auto chains = SamplerLab::start(options, seed, place);
    if (!chains) {
      return failWith(chains);
    }
    if (!scene || !scene->isOf(options, seed)) {
      auto made = makeSamplerScene(options, seed, context);
      if (!made) {
        return failWith(made);
      }
      scene = *std::move(made);
    }
    return std::make_shared<Lab>(Lab{*std::move(chains), scene});
  };
}

}  // namespace dubito
