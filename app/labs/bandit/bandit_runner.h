// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/labs/experiment_runner.h"
#include "core/labs/bandit/bandit_lab.h"

namespace dubito {

/// What BanditRunner plays. A unit of work is one round of every game.
struct BanditExperiment : PacedExperiment<BanditLab, BanditPicture> {
  using Options = BanditLabOptions;
  static constexpr bool kKeepsPicture = true;

  [[nodiscard]] static Status advance(Lab& lab, const SlicePace& pace, UnitPacer& /*pacer*/,
                                      RunContext& context) {
    return lab.advance(pace.units(), context);
  }
  [[nodiscard]] static Picture picture(const Lab& lab, RunContext& /*context*/) {
    return lab.picture();
  }
};

/// Plays the bandit laboratory.
class BanditRunner : public ExperimentRunner<BanditExperiment> {
  Q_OBJECT
 public:
  BanditRunner(WorkerThread& worker, int threads, QObject* parent = nullptr);

 protected:
  [[nodiscard]] Start starter() const override;
};

}  // namespace dubito
