// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/run_evaluator.h"

#include <QElapsedTimer>
#include <algorithm>
#include <utility>

#include "app/files/open_file.h"
#include "app/session/error_text.h"
#include "core/base/grouped_digits.h"
#include "core/io/known_notes.h"
#include "core/io/run_needs.h"
#include "core/metrics/label_fit.h"

namespace dubito {

RunEvaluator::RunEvaluator(Session& session, WindowJobs& jobs, Messages& messages,
                           ComputeSettings& settings, QObject* parent)
    : QObject(parent),
      session_(session),
      jobs_(jobs),
      messages_(messages),
      settings_(settings),
      job_(jobs.listThread()) {
  jobs_.watch(job_);
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
  std::vector<std::string> notes = notesOfRun(*(*analysis)->in().run);
  if ((*analysis)->in().run->meta.method == kLabelsMethod) {
    // Who opens labels knows where they come from; tables and reports say it.
    eraseNotes(notes, kLabelSourceNote);
    eraseNotes(notes, kLabelScoresNote);
  }
  for (const std::string& note : notes) {
    Q_EMIT messages_.noticed(noteText(note));
  }
  for (const AnalysisPart& part : (*analysis)->parts) {
    const std::vector<SkippedItem>& skipped = part.run->meta.skipped;
    if (!skipped.empty()) {
      Q_EMIT messages_.noticed(tr("%1: %2 items skipped; the first was %3 (%4)")
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
