// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/dropout_rate/rate_runner.h"

#include <utility>

#include "core/base/stopwatch.h"

namespace dubito {

RateRunner::RateRunner(WorkerThread& worker, int threads, QObject* parent)
    : LabRunner(worker, threads, playbackSpeeds(), parent) {}

void RateRunner::forget() {
  work_.reset();
  picture_.reset();
}

LabRunner::Slice RateRunner::slice(const SlicePace& pace) {
  return [this, work = work_, options = options_, seed = seed(),
          pace](RunContext& context) mutable -> Expected<Show> {
    if (!work) {
      auto lab = DropoutRateLab::start(options, seed);
      if (!lab) {
        return failWith(lab);
      }
      work = std::make_shared<Work>();
      work->lab = *std::move(lab);
    }
    DropoutRateLab& lab = *work->lab;
    if (pace.advances) {
      const std::int64_t before = lab.done();
      const Stopwatch watch;
      if (Status advanced = lab.advance(pace.units(work->pacer, lab.total()), context); !advanced) {
        return failWith(advanced);
      }
      work->pacer.measured(lab.done() - before, watch.seconds());
    }
    auto picture = std::make_shared<const DropoutRatePicture>(lab.picture(context));
    return [this, work, picture] {
      work_ = work;
      picture_ = picture;
    };
  };
}

}  // namespace dubito
