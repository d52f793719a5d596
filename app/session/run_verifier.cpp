// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/run_verifier.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "app/session/error_text.h"
#include "core/io/run_file.h"

namespace dubito {
namespace {

/// `analysis` with `run` replaced by a copy that has an additional note.
AnalysisPtr withNote(const Analysis& analysis, const std::shared_ptr<const Run>& run,
                     const std::string& note) {
  auto noted = std::make_shared<Run>(*run);
  noted->meta.notes.push_back(note);
  auto result = std::make_shared<Analysis>(analysis);
  std::ranges::find(result->parts, run, &AnalysisPart::run)->run = std::move(noted);
  return result;
}

}  // namespace

RunVerifier::RunVerifier(Session& session, QObject* parent)
    : QObject(parent), session_(session), verify_job_(thread_), note_job_(thread_) {
  connect(&session_, &Session::workspaceChanged, this, &RunVerifier::enqueueNew);
}

RunVerifier::~RunVerifier() = default;

bool RunVerifier::busy() const {
  return isActive(verify_job_.state()) || isActive(note_job_.state()) || !waiting_.empty();
}

AnalysisPtr RunVerifier::analysisOf(const RunPtr& run) const {
  for (const AnalysisPtr& shown : session_.analyses()) {
    const AnalysisPtr& analysis = givenOf(shown);
    if (std::ranges::find(analysis->parts, run, &AnalysisPart::run) != analysis->parts.end()) {
      return analysis;
    }
  }
  return nullptr;
}

void RunVerifier::enqueueNew() {
  std::erase_if(seen_, [](const auto& run) { return run.expired(); });
  for (const AnalysisPtr& analysis : session_.analyses()) {
    for (const AnalysisPart& part : givenOf(analysis)->parts) {
      if (seen_.insert(part.run).second && !session_.runFiles().fileOf(part.run).empty()) {
        waiting_.push_back(part.run);
      }
    }
  }
  startNext();
}

void RunVerifier::startNext() {
  while (!waiting_.empty() && !isActive(verify_job_.state()) && !isActive(note_job_.state())) {
    const RunPtr run = waiting_.front().lock();
    waiting_.pop_front();
    const std::string file = run ? session_.runFiles().fileOf(run) : std::string();
    if (file.empty() || !analysisOf(run)) {
      continue;
    }
    verify_job_.start<bool>(
        tr("Verifying %1").arg(QFileInfo(QString::fromStdString(file)).fileName()), {},
        [file](RunContext& context) -> Expected<bool> {
          if (!isRunFile(file)) {
            return true;  // from another program: checked on opening, or without checksums
          }
          const Status sound = verifyRunFile(file, context);
          return sound ? Expected<bool>(true) : failWith(sound);
        },
        this,
        [this, run](const Expected<bool>& sound) {
          if (!sound) {
            report(run, sound.error());
          }
          startNext();
        });
  }
}

void RunVerifier::report(const RunPtr& run, const Error& error) {
  // A file deleted in the meantime stays readable through its mapping.
  if (error.code == ErrorCode::kCancelled || error.code == ErrorCode::kNotFound) {
    return;
  }
  Q_EMIT failed(errorText(error));
  if (error.code == ErrorCode::kMalformed) {
    addNote(run, error.message);
  }
}

void RunVerifier::addNote(const RunPtr& run, const std::string& note) {
  const AnalysisPtr base = analysisOf(run);
  if (!base) {
    startNext();
    return;
  }
  // In a job: copying the per-item arrays of a large run takes a while.
  note_job_.start<AnalysisPtr>(
      tr("Marking a damaged run"), {},
      [base, run, note](RunContext&) -> Expected<AnalysisPtr> {
        return withNote(*base, run, note);
      },
      this,
      [this, base, run, note](const Expected<AnalysisPtr>& noted) {
        if (!noted) {
          startNext();  // out of memory for the copy; failed() was emitted anyway
          return;
        }
        const std::vector<AnalysisPtr>& present = session_.analyses();
        const auto place = std::ranges::find(present, base, givenOf);
        if (place == present.end()) {
          addNote(run, note);  // re-evaluated or closed in the meantime
          return;
        }
        const auto part = static_cast<std::size_t>(
            std::ranges::find(base->parts, run, &AnalysisPart::run) - base->parts.begin());
        const RunPtr& now = (*noted)->parts[part].run;
        seen_.insert(now);
        session_.runFiles().setFile(now, session_.runFiles().fileOf(run));
        const int position = static_cast<int>(place - present.begin());
        const int active = session_.activeAnalysisPosition();
        session_.replaceAnalysis(static_cast<std::size_t>(position), *noted);
        if (active != position) {
          session_.setActiveAnalysis(active);
        }
        startNext();
      });
}

}  // namespace dubito
