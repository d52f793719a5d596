// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/run_evaluator.h"

#include <QElapsedTimer>
#include <algorithm>
#include <iterator>
#include <utility>

#include "app/files/open_file.h"
#include "app/session/error_text.h"
#include "core/analysis/run_notes.h"
#include "core/base/grouped_digits.h"
#include "core/base/note.h"
#include "core/io/run_needs.h"

namespace dubito {

RunEvaluator::RunEvaluator(Session& session, WindowJobs& jobs, Messages& messages,
                           ComputeSettings& settings, QObject* parent)
    : QObject(parent),
      session_(session),
      jobs_(jobs),
      messages_(messages),
      settings_(settings),
      job_(jobs.listThread()),
      sample_job_(jobs.listThread()) {
  jobs_.watch(job_);
  connect(&session_, &Session::workspaceChanged, this, &RunEvaluator::withdrawNotes);
}

QString RunEvaluator::subjectOf(const Analysis& analysis) const {
  const AnalysisPart& in = analysis.in();
  const QString file = QString::fromStdString(session_.runFiles().fileOf(in.run));
  const QString network = QString::fromStdString(in.run->meta.model_name);
  const QString items = QString::fromStdString(in.name);
  return !file.isEmpty()                        ? file
         : network.isEmpty() || items.isEmpty() ? network + items
                                                : tr("%1 on %2").arg(network, items);
}

void RunEvaluator::note(const std::shared_ptr<const Run>& run, const QString& text) {
  notes_.emplace_back(run, text);
  Q_EMIT messages_.noticed(text);
}

void RunEvaluator::withdrawNotes() {
  const std::vector<AnalysisPtr>& open = session_.analyses();
  const auto is_closed = [&open](const auto& shown) {
    return std::ranges::none_of(open, [&shown](const AnalysisPtr& analysis) {
      return givenOf(analysis)->in().run == shown.first.lock();
    });
  };
  std::vector<std::pair<std::weak_ptr<const Run>, QString>> closed;
  std::ranges::copy_if(notes_, std::back_inserter(closed), is_closed);
  std::erase_if(notes_, is_closed);
  for (const auto& [run, text] : closed) {
    // Runs of the same network on the same items may share a note.
    if (std::ranges::none_of(notes_, [&text](const auto& shown) { return shown.second == text; })) {
      Q_EMIT messages_.withdrawn(text);
    }
  }
}

void RunEvaluator::inTurn(std::function<void()> start) {
  waiting_.push_back(std::move(start));
  startNext();
}

void RunEvaluator::startNext() {
  if (!waiting_.empty() && canStart(job_.state())) {
    const auto next = std::move(waiting_.front());
    waiting_.pop_front();
    next();
  }
}

void RunEvaluator::reevaluate(const EvaluationOptions& options) {
  const AnalysisPtr active = givenOf(session_.activeAnalysis());
  if (!active || isActive(job_.state())) {
    return;
  }
  settings_.evaluation = options;
  evaluate(active->parts, active);
}

void RunEvaluator::startSample(const AnalysisPart& part) {
  sample_job_.restart<AnalysisSample>(
      tr("Evaluating a sample"), jobs_.settings(),
      [name = part.name, run = part.run, options = settings_.evaluation](RunContext& context) {
        return analyseSample(name, *run, options, context);
      },
      this,
      [this](const Expected<AnalysisSample>& sample) {
        // An error is that of the whole run, too, which is reported.
        if (sample && !session_.activeAnalysis()) {
          setSample(*sample);
        }
      });
}

void RunEvaluator::setSample(const AnalysisSample& sample) {
  if (sample_.analysis != sample.analysis) {
    sample_ = sample;
    Q_EMIT sampleChanged();
  }
}

void RunEvaluator::evaluate(std::vector<AnalysisPart> parts, const AnalysisPtr& base) {
  std::vector<ModelPtr> models;
  if (!base) {
    for (const ModelEntry& entry : session_.models()) {
      models.push_back(entry.model);
    }
  }
  const std::string file = session_.runFiles().fileOf(parts.front().run);
  const EvaluationOptions options = settings_.evaluation;
  QElapsedTimer timer;
  timer.start();
  // On the thread of the evaluation, before it.
  if (!session_.activeAnalysis() && sampleSize(*parts.front().run) > 0) {
    startSample(parts.front());
  }
  job_.start<AnalysisPtr>(
      tr("Evaluating"), jobs_.settings(),
      [parts = std::move(parts), base, models = std::move(models), file,
       options](RunContext& context) {
        std::vector<AnalysisPart> complete;
        for (const AnalysisPart& part : parts) {
          complete.push_back(part.has(Measure::kConfidence)
                                 ? part
                                 : makePart(part.name, part.run, part.dataset, context));
        }
        return base ? analyse(std::move(complete), base->model, base->method, options, context)
                    : analyseOpened(std::move(complete), file, models, options, context);
      },
      this,
      [this, base, timer](const Expected<AnalysisPtr>& analysis) {
        take(analysis, base, static_cast<double>(timer.elapsed()) / 1000.0);
        setSample({});
        startNext();
      });
}

void RunEvaluator::take(const Expected<AnalysisPtr>& analysis, const AnalysisPtr& base,
                        double seconds) {
  if (!analysis) {
    messages_.report(analysis.error());
    return;
  }
  const std::vector<AnalysisPtr>& present = session_.analyses();
  const auto place = std::ranges::find(present, base, givenOf);
  if (base && place == present.end()) {
    return;  // closed in the meantime
  }
  if (base) {
    session_.replaceAnalysis(static_cast<std::size_t>(place - present.begin()), *analysis);
  } else {
    session_.addAnalysis(*analysis);
  }
  // All parts share the model, so the notes of the first apply to all.
  std::vector<Note> notes = *keptNotesOfRun((*analysis)->in().run);
  if ((*analysis)->in().run->meta.method == kLabelsMethod) {
    // Who opens labels knows where they come from; tables and reports say it.
    removeNotes(notes, NoteKind::kLabelSource);
    removeNotes(notes, NoteKind::kLabelScores);
  }
  const QString subject = subjectOf(**analysis);
  for (const Note& found : notes) {
    note((*analysis)->in().run, tr("%1: %2").arg(subject, noteText(found)));
  }
  for (const AnalysisPart& part : (*analysis)->parts) {
    const std::vector<SkippedItem>& skipped = part.run->meta.skipped;
    if (!skipped.empty()) {
      note((*analysis)->in().run,
           tr("%1: %2 items skipped; the first was %3 (%4)")
               .arg(QString::fromStdString(part.name),
                    QString::fromStdString(groupedDigits(std::ssize(skipped))),
                    QString::fromStdString(skipped.front().name),
                    QString::fromStdString(skipped.front().reason)));
    }
  }
  jobs_.setDoneText(tr("%1: %2 items in %3 s")
                        .arg(QString::fromStdString((*analysis)->name),
                             QString::fromStdString(groupedDigits((*analysis)->itemCount())))
                        .arg(seconds, 0, 'f', 1));
  Q_EMIT analysed();
  if (!base) {
    offerReview(**analysis);
  }
}

void RunEvaluator::offerReview(const Analysis& analysis) {
  const auto known = stores_.find(analysis.in().run);
  const std::string store = known == stores_.end() ? std::string() : known->second;
  std::erase_if(stores_, [&](const auto& entry) {
    return entry.first.expired() || entry.first.lock() == analysis.in().run;
  });
  if (analysis.in().run->meta.method == kLabelsMethod) {
    Q_EMIT labelsOpened(QString::fromStdString(store));
  }
}

}  // namespace dubito
