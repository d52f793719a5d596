// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/bandit/bandit_runner.h"

#include <utility>

namespace dubito {
namespace {

/// What a round takes differs a lot, because networks are trained only every so often; so the
/// speeds count rounds, not seconds.
const std::vector<PlaybackSpeed>& banditSpeeds() {
  static const std::vector<PlaybackSpeed> speeds{
      {QT_TRANSLATE_NOOP("Labs", "Slow"),
       QT_TRANSLATE_NOOP("Labs", "One round at a time, five per second"), 0.0, 200, 1},
      {QT_TRANSLATE_NOOP("Labs", "Normal"), QT_TRANSLATE_NOOP("Labs", "Ten rounds per picture"),
       0.0, 25, 10},
      {QT_TRANSLATE_NOOP("Labs", "Fast"), QT_TRANSLATE_NOOP("Labs", "100 rounds per picture"), 0.0,
       0, 100}};
  return speeds;
}

}  // namespace

BanditRunner::BanditRunner(WorkerThread& worker, int threads, QObject* parent)
    : ExperimentRunner(worker, threads, banditSpeeds(), parent) {}

BanditRunner::Start BanditRunner::starter() const {
  return [options = options(),
          seed = seed()](RunContext& context) -> Expected<std::shared_ptr<BanditLab>> {
    auto lab = BanditLab::start(options, seed, context);
    if (!lab) {
      return failWith(lab);
    }
    return std::make_shared<BanditLab>(*std::move(lab));
  };
}

}  // namespace dubito
