// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/learn/learner.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "app/jobs/window_jobs.h"
#include "app/session/error_text.h"
#include "app/workbench/run_computer.h"
#include "core/base/grouped_digits.h"
#include "core/labels/label_store.h"

namespace dubito {
namespace {

QString grouped(std::int64_t count) {
  return QString::fromStdString(groupedDigits(count));
}

/// Counts of the labels of persons in the run's items, by class.
Expected<LearningBasisPtr> readBasis(const AnalysisPtr& analysis, const std::string& store) {
  auto rounds = readLearningRounds(roundsFile(store));
  const auto labels = rounds ? LabelStore::open(store, StoreMode::kReadOnly) : failWith(rounds);
  const auto present = labels ? (*labels)->labels() : failWith(labels);
  const auto classes = present ? (*labels)->classes() : failWith(present);
  if (!classes) {
    return failWith(classes);
  }
  auto basis = std::make_shared<LearningBasis>();
  basis->analysis = analysis;
  std::unordered_map<std::int64_t, std::int64_t> counts;
  for (const PresentLabel& label : *present) {
    if (label.origin != LabelOrigin::kPerson || !settles(label.action)) {
      continue;
    }
    if (label.class_id) {
      ++counts[*label.class_id];
      ++basis->labels;
    } else {
      ++basis->without_class;
    }
  }
  for (const LabelClass& one : *classes) {
    if (const auto found = counts.find(one.id); found != counts.end()) {
      basis->classes.push_back({one.name, found->second});
    }
  }
  std::ranges::stable_sort(basis->classes, std::ranges::greater(), &LabelledClass::labels);
  if (analysis->model) {
    basis->rounds = roundsOf(*rounds, *analysis->model);
  }
  return LearningBasisPtr(std::move(basis));
}

}  // namespace

Learner::Learner(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer, QObject* parent)
    : QObject(parent),
      reviewer_(reviewer),
      jobs_(jobs),
      computer_(computer),
      basis_job_(thread_),
      job_(jobs.computeThread()) {
  jobs_.watch(job_, WindowJobs::Outcome::kWanted);
  connect(&job_, &Job::progressChanged, this, &Learner::progressed);
}

Learner::~Learner() = default;

QString Learner::folder() const {
  return QString::fromStdString(learnedFolder(reviewer_.file().place().toStdString()));
}

void Learner::refresh() {
  if (!reviewer_.active()) {
    return;
  }
  if (basis_ && basis_->analysis != reviewer_.analysis()) {
    basis_ = nullptr;
    Q_EMIT changed();
  }
  basis_job_.submit<LearningBasisPtr>(
      tr("Counting labels"), JobSettings(),
      [analysis = reviewer_.analysis(), store = reviewer_.file().place().toStdString()](
          RunContext&) { return readBasis(analysis, store); },
      this,
      [this](Expected<LearningBasisPtr> basis) {
        if (!basis) {
          if (basis.error().code != ErrorCode::kCancelled) {
            Q_EMIT failed(errorText(basis.error()));
          }
        } else if ((*basis)->analysis == reviewer_.analysis()) {
          basis_ = *std::move(basis);
          Q_EMIT changed();
        }
      });
}

QString Learner::networkObstacle(const Model& model) const {
  const ModelAudit& audit = model.audit();
  const QString name = QString::fromStdString(model.metadata().name);
  const QString remedy =
      tr("Export the labels and train the network in the program that it comes from.");
  QString why;
  if (!audit.head.found) {
    why = QString::fromStdString(audit.head.reason);
  } else if (audit.one_output) {
    why = tr("it has one output for two classes");
  } else if (audit.head.quantised) {
    why = tr("its weights are quantised");
  } else if (!audit.head.added.empty()) {
    why = tr("its outputs have other terms: %1").arg(QString::fromStdString(audit.head.added));
  }
  return why.isEmpty()
             ? QString()
             : tr("%1 has no last layer that can be trained alone (%2). %3").arg(name, why, remedy);
}

QString Learner::obstacle() const {
  const AnalysisPtr& analysis = reviewer_.analysis();
  if (!analysis) {
    return {};
  }
  if (!analysis->model) {
    return tr(
        "The network of this run is not open. Open it and press Compute: it can then learn "
        "from your labels.");
  }
  if (const QString network = networkObstacle(*analysis->model); !network.isEmpty()) {
    return network;
  }
  if (analysis->model == refused_model_) {
    return refusal_;
  }
  const bool is_enough =
      basis_ && basis_->labels >= kFewestLabels && std::ssize(basis_->classes) >= 2;
  return !basis_ || is_enough
             ? QString()
             : tr("At least %1 labels of two classes are needed to learn from; there are %2 of %3. "
                  "Review more images first.")
                   .arg(kFewestLabels)
                   .arg(grouped(basis_->labels), grouped(std::ssize(basis_->classes)));
}

void Learner::start() {
  if (!reviewer_.active() || !basis_ || learning() || !obstacle().isEmpty()) {
    return;
  }
  LearningRequest request{.analysis = reviewer_.analysis(),
                          .store = reviewer_.file().place().toStdString(),
                          .predict = computer_.settings().predict};
  for (const ModelEntry& entry : reviewer_.session().models()) {
    request.open.push_back(entry.model);
  }
  JobSettings settings = computer_.jobSettings();
  settings.seed = request.analysis->in().run->meta.seed;  // the same masks as before
  using LearnedPtr = std::shared_ptr<const LearnedRun>;
  job_.start<LearnedPtr>(
      tr("Learning from labels"), settings,
      [request](RunContext& context) -> Expected<LearnedPtr> {
        auto result = learnedRun(request, context);
        return result ? Expected<LearnedPtr>(std::make_shared<const LearnedRun>(*std::move(result)))
                      : failWith(result);
      },
      this,
      [this, model = request.analysis->model](Expected<LearnedPtr> result) {
        if (result) {
          ready_ = *std::move(result);
          jobs_.setDoneText(tr("Learned from %1 labels").arg(grouped(ready_->round.labels)));
          refresh();
          Q_EMIT changed();
          Q_EMIT learned();
          return;
        }
        if (result.error().code == ErrorCode::kUnsupported) {
          refused_model_ = model;
          refusal_ = errorText(result.error());
        } else if (result.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(errorText(result.error()));
        }
        Q_EMIT changed();
      });
  Q_EMIT changed();
}

const LearnedRun* Learner::ready() const {
  const AnalysisPtr& analysis = reviewer_.analysis();
  return ready_ && analysis && ready_->analysis->in().dataset == analysis->in().dataset
             ? ready_.get()
             : nullptr;
}

void Learner::use() {
  if (ready() == nullptr) {
    return;
  }
  const auto learned = std::exchange(ready_, nullptr);
  Session& session = reviewer_.session();
  const QString count = grouped(learned->round.labels);
  session.addModel(tr("%1, learned from %2 labels")
                       .arg(QString::fromStdString(learned->backbone->metadata().name), count),
                   learned->analysis->model);
  const AnalysisPart& before = reviewer_.analysis()->in();
  if (learned->before == reviewer_.analysis() &&
      before.items_hash == learned->analysis->in().items_hash) {
    reviewer_.keepFeaturesFor(learned->analysis);
  }
  reviewer_.reviewQueue().leavePartial();  // what a list was made for belongs to the network before
  const std::size_t run = session.addAnalysis(learned->analysis);
  session.setRunLabel(run, {tr("%1, learned from %2 labels")
                                .arg(QString::fromStdString(learned->analysis->name), count)
                                .toStdString(),
                            {}});
  Q_EMIT changed();
}

}  // namespace dubito
