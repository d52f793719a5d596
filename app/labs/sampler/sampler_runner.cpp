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

SamplerRunner::SamplerRunner(WorkerThread& worker, int threads, QObject* parent)
    : LabRunner(worker, threads, samplerSpeeds(), parent) {}

void SamplerRunner::setPlace(std::optional<std::array<double, 2>> place) {
  place_ = place;
  restart();
}

LabRunner::Slice SamplerRunner::slice(const SlicePace& pace) {
  return [this, work = work_, scene = scene_, options = options_, seed = seed(), place = place_,
          pace](RunContext& context) mutable -> Expected<Show> {
    if (!work) {
      auto lab = SamplerLab::start(options, seed, place);
      if (!lab) {
        return failWith(lab);
      }
      work = std::make_shared<SamplerLab>(*std::move(lab));
      if (!scene || !scene->isOf(options, seed)) {
        auto made = makeSamplerScene(options, seed, context);
        if (!made) {
          return failWith(made);
        }
        scene = *std::move(made);
      }
    }
    SamplerLab& lab = *work;
    if (pace.advances) {
      const std::int64_t units = std::min(pace.units(), kMaxTransitions - lab.transitions());
      if (Status advanced = lab.advance(units, context); !advanced) {
        return failWith(advanced);
      }
    }
    auto picture = std::make_shared<const SamplerPicture>(lab.picture());
    return [this, work, scene, picture] {
      work_ = work;
      scene_ = scene;
      picture_ = picture;
    };
  };
}

}  // namespace dubito
