// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tune/tune_controller.h"

#include <algorithm>
#include <utility>

#include "app/session/error_text.h"

namespace dubito {

TuneController::TuneController(Session& session, WindowJobs& jobs, RunComputer& computer,
                               QObject* parent)
    : QObject(parent),
      session_(session),
      jobs_(jobs),
      computer_(computer),
      prepare_job_(thread_),
      compute_job_(thread_),
      network_job_(jobs.computeThread()),
      landscape_job_(landscape_thread_),
      tau_landscape_job_(jobs.computeThread()),
      fit_job_(jobs.computeThread()),
      add_job_(jobs.computeThread()) {
  for (Job* const job : this->jobs()) {
    connect(job, &Job::stateChanged, this, &TuneController::activityChanged);
  }
  jobs_.watch(add_job_, WindowJobs::Outcome::kWanted);
}

std::array<Job*, 7> TuneController::jobs() {
  return {&prepare_job_,       &compute_job_, &network_job_, &landscape_job_,
          &tau_landscape_job_, &fit_job_,     &add_job_};
}

bool TuneController::busy() const {
  return isActive(prepare_job_.state()) || isActive(compute_job_.state()) ||
         isActive(network_job_.state()) || isActive(landscape_job_.state()) ||
         isActive(tau_landscape_job_.state()) || isActive(fit_job_.state()) ||
         isActive(add_job_.state());
}

bool TuneController::computesResult() const {
  return pending_ || isActive(compute_job_.state()) || isActive(network_job_.state());
}

bool TuneController::computesLandscape() const {
  return isActive(landscape_job_.state()) || isActive(tau_landscape_job_.state());
}

TuneController::Activity TuneController::activity() const {
  return isActive(fit_job_.state())                    ? Activity::kFitting
         : isActive(add_job_.state())                  ? Activity::kAdding
         : isActive(prepare_job_.state())              ? Activity::kPreparing
         : isActive(network_job_.state()) && !network_ ? Activity::kPassing
                                                       : Activity::kNone;
}

void TuneController::report(const Error& error) {
  if (error.code != ErrorCode::kCancelled) {
    Q_EMIT failed(errorText(error));
  }
}

void TuneController::setAnalysis(AnalysisPtr analysis) {
  for (Job* const job : this->jobs()) {
    // A run being kept was requested, whatever is shown in the meantime.
    if (job != &add_job_) {
      job->abandon();
    }
  }
  pending_ = false;
  basis_.reset();
  network_.reset();
  result_.reset();
  landscape_.reset();
  landscape_of_.reset();
  tau_landscape_.reset();
  tau_landscape_of_.reset();
  analysis_ = std::move(analysis);
}

void TuneController::prepare() {
  if (!analysis_ || basis_ || isActive(prepare_job_.state()) ||
      !tunableParts(*analysis_).temperature) {
    return;
  }
  basis_ = evaluatedBasis(analysis_, computer_.settings().evaluation, limits_);
  if (basis_) {
    Q_EMIT prepared();
    return;
  }
  prepare_job_.restart<TuneBasisPtr>(
      tr("Preparing"), computer_.jobSettings(),
      [analysis = analysis_, evaluation = computer_.settings().evaluation, limits = limits_](
          RunContext& context) { return prepareTuning(analysis, evaluation, limits, context); },
      this,
      [this](const Expected<TuneBasisPtr>& basis) {
        if (!basis) {
          report(basis.error());
          return;
        }
        basis_ = *basis;
        Q_EMIT prepared();
      });
}

void TuneController::change(const RunTuning& tuning, bool moving) {
  wanted_ = tuning;
  moving_ = moving;
  tau_landscape_job_.abandon();  // it would block the thread of the network
  const bool passing = isActive(network_job_.state()) && !network_;
  const bool computing = isActive(compute_job_.state()) || isActive(network_job_.state());
  // A running pass through the network is not restarted either.
  if (passing || (moving && computing)) {
    pending_ = true;
    return;
  }
  compute();
}

void TuneController::compute() {
  pending_ = false;
  if (TuneResultPtr untuned = moving_ ? nullptr : untunedResult(basis_, wanted_)) {
    compute_job_.abandon();
    network_job_.abandon();
    result_ = std::move(untuned);
    Q_EMIT resultChanged();
    return;
  }
  const bool through_network = wanted_.tau.has_value();
  Job& job = through_network ? network_job_ : compute_job_;
  (through_network ? compute_job_ : network_job_).abandon();
  job.restart<Computed>(
      tr("Tuning"), computer_.jobSettings(),
      [basis = basis_, wanted = wanted_, moving = moving_, network = network_, limits = limits_,
       before = result_ ? result_->stage : nullptr,
       options = computer_.settings().predict](RunContext& context) -> Expected<Computed> {
        Expected<TuneNetworkPtr> passed = network;
        if (wanted.tau && !network) {
          passed = passThroughNetwork(basis, limits, options, context);
        }
        if (!passed) {
          return failWith(passed);
        }
        auto result = computeTuned(basis, wanted, moving, before, *passed, context);
        if (!result) {
          return failWith(result);
        }
        return Computed{*passed, *std::move(result)};
      },
      this, [this](const Expected<Computed>& computed) { handleComputed(computed); });
}

void TuneController::handleComputed(const Expected<Computed>& computed) {
  if (!computed) {
    pending_ = false;
    report(computed.error());
    return;
  }
  network_ = computed->network;
  result_ = computed->result;
  const bool more = std::exchange(pending_, false);
  Q_EMIT resultChanged();
  if (more) {
    compute();
  }
}

void TuneController::computeLandscape(const RunTuning& tuning) {
  if (basis_->resting->labelled == 0) {
    return;
  }
  // The running job may be for another tuning.
  landscape_job_.abandon();
  const RunTuning wanted = beforeTemperature(tuning);
  if (landscape_of_ == wanted) {
    return;
  }
  // With a prior, the items are those of the result, so it must be computed first.
  TuneStagePtr stage;
  if (wanted.tau) {
    if (!result_ || result_->stage->tau != wanted.tau || result_->stage->link != wanted.link) {
      return;
    }
    stage = result_->stage;
  }
  landscape_job_.restart<TuneLandscape>(
      tr("Landscape"), computer_.jobSettings(),
      [basis = basis_, wanted, stage](RunContext& context) {
        return tuneLandscape(basis, wanted, stage, context);
      },
      this,
      [this, wanted](const Expected<TuneLandscape>& landscape) {
        if (!landscape) {
          report(landscape.error());
          return;
        }
        landscape_ = *landscape;
        landscape_of_ = wanted;
        Q_EMIT landscapeChanged();
      });
}

void TuneController::computeTauLandscape(const RunTuning& tuning) {
  const std::string link = tuning.link.value_or(std::string());
  if (!network_ || network_->items->labelled == 0 || tau_landscape_of_ == link) {
    return;
  }
  tau_landscape_job_.restart<PriorLandscape>(
      tr("Landscape"), computer_.jobSettings(),
      [network = network_, link](RunContext& context) {
        return tuneTauLandscape(network, link, context);
      },
      this,
      [this, link](const Expected<PriorLandscape>& landscape) {
        if (!landscape) {
          report(landscape.error());
          return;
        }
        tau_landscape_ = *landscape;
        tau_landscape_of_ = link;
        Q_EMIT landscapeChanged();
      });
}

void TuneController::fit(const DatasetPtr& calibration, const RunTuning& tuning) {
  fit_job_.restart<CalibratedTemperature>(
      tr("Fitting"), computer_.jobSettings(),
      [analysis = analysis_, calibration, tuning,
       options = computer_.settings().predict](RunContext& context) {
        return fitTuned(analysis, calibration, tuning, options, context);
      },
      this,
      [this, tuning](const Expected<CalibratedTemperature>& calibrated) {
        if (calibrated) {
          QStringList words = {noteText(calibrated->source)};
          for (const std::string& note : calibrated->notes) {
            words << noteText(note);
          }
          Q_EMIT fitted(tuning, calibrated->fit.temperature, words.join(QStringLiteral("; ")));
        } else {
          report(calibrated.error());
        }
      });
}

void TuneController::addRun(const RunTuning& tuning) {
  add_job_.start<AnalysisPtr>(
      tr("Adding run"), computer_.jobSettings(),
      [analysis = givenOf(analysis_), tuning, options = computer_.settings().predict,
       evaluation = computer_.settings().evaluation](RunContext& context) {
        return tunedAnalysis(analysis, tuning, options, evaluation, context);
      },
      this,
      [this](const Expected<AnalysisPtr>& kept) {
        if (kept) {
          session_.addAnalysis(*kept);
        } else {
          report(kept.error());
        }
      });
}

}  // namespace dubito
