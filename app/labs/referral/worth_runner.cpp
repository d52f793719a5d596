// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/referral/worth_runner.h"

#include <utility>

#include "core/base/stopwatch.h"

namespace dubito {

WorthRunner::WorthRunner(WorkerThread& worker, int threads, QObject* parent)
    : LabRunner(worker, threads, playbackSpeeds(), parent) {}

void WorthRunner::setGaussian(LogitGaussian gaussian) {
  gaussian_ = std::move(gaussian);
  restart();
}

void WorthRunner::forget() {
  work_.reset();
  picture_.reset();
}

LabRunner::Slice WorthRunner::slice(const SlicePace& pace) {
  return [this, work = work_, gaussian = gaussian_, options = options_, seed = seed(),
          pace](RunContext& context) mutable -> Expected<Show> {
    if (!work) {
      auto lab = SampleWorth::start(gaussian, options, seed);
      if (!lab) {
        return failWith(lab);
      }
      work = std::make_shared<Work>();
      work->lab = *std::move(lab);
    }
    SampleWorth& lab = *work->lab;
    const std::int64_t before = lab.done();
    const Stopwatch watch;
    if (Status advanced = lab.advance(pace.units(work->pacer, lab.total()), context); !advanced) {
      return failWith(advanced);
    }
    work->pacer.measured(lab.done() - before, watch.seconds());
    auto picture = std::make_shared<const WorthPicture>(
        WorthPicture{lab.result(), lab.times(), lab.done(), lab.total()});
    return [this, work, picture] {
      work_ = work;
      picture_ = picture;
    };
  };
}

}  // namespace dubito
