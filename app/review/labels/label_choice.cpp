// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/label_choice.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/session/error_text.h"
#include "core/analysis/relabelled_analysis.h"
#include "core/analysis/same_items.h"
#include "core/base/thread_count.h"

namespace dubito {

struct LabelChoice::Request {
  std::vector<AnalysisPtr> given;
  std::vector<std::string> places;  ///< of the label store of each; empty: none
  int active = -1;
  bool evaluate = false;           ///< else only source() is wanted
  Stores stores;                   ///< read earlier
  std::vector<AnalysisPtr> known;  ///< evaluated earlier
};

struct LabelChoice::Answer {
  bool evaluated = false;
  std::vector<AnalysisPtr> labelled;  ///< with reviewed labels where there are any
  std::optional<ReviewedLabelSource> source;
  Stores stores;
  QString reason;  ///< why an analysis has no reviewed labels; empty: none has a store
};

namespace {

/// The labels at `place` for a run; `read`, if given, has them already, and `earlier` if nothing
/// was added since. kNotFound without a store.
Expected<ReviewedLabelsPtr> labelsAt(const std::string& place, const ReviewedLabelsPtr& read,
                                     const ReviewedLabelsPtr& earlier, const Run& run) {
  const auto store = LabelStore::open(place, StoreMode::kReadOnly);
  if (!store) {
    return failWith(store);
  }
  if (const Status fits = checkLabelsOf(**store, run); !fits) {
    return failWith(fits);
  }
  if (read) {
    return read;
  }
  const auto sequence = (*store)->newestSequence();
  if (!sequence) {
    return failWith(sequence);
  }
  if (earlier && earlier->sequence == *sequence) {
    return earlier;
  }
  auto labels = readReviewedLabels(**store);
  return labels ? Expected<ReviewedLabelsPtr>(
                      std::make_shared<const ReviewedLabels>(*std::move(labels)))
                : failWith(labels);
}

}  // namespace

LabelChoice::LabelChoice(Session& session, PlaceOf place_of, QObject* parent)
    : QObject(parent), session_(session), place_of_(std::move(place_of)), job_(thread_) {
  connect(&session_, &Session::activeAnalysisChanged, this, &LabelChoice::followSession);
  connect(&session_, &Session::workspaceChanged, this, &LabelChoice::followSession);
}

LabelChoice::~LabelChoice() = default;

std::vector<AnalysisPtr> LabelChoice::givenAnalyses() const {
  std::vector<AnalysisPtr> given;
  std::ranges::transform(session_.analyses(), std::back_inserter(given), givenOf);
  return given;
}

QString LabelChoice::placeFor(const AnalysisPart& part) const {
  if (part.dataset) {
    return place_of_(*part.dataset);
  }
  // Predictions from a file join the runs on the same items.
  for (const AnalysisPtr& other : session_.analyses()) {
    const AnalysisPart& in = givenOf(other)->in();
    if (in.dataset && haveSameItems(part, in)) {
      return place_of_(*in.dataset);
    }
  }
  return {};
}

void LabelChoice::followSession() {
  if (givenAnalyses() != seen_ || session_.activeAnalysisPosition() != seen_active_) {
    refresh();
  }
}

void LabelChoice::setReviewed(bool reviewed) {
  if (reviewed_ == reviewed) {
    return;
  }
  reviewed_ = reviewed;
  if (reviewed) {
    refresh();
  } else {
    session_.setLabelled(givenAnalyses());
  }
  Q_EMIT changed();
}

void LabelChoice::refresh() {
  seen_ = givenAnalyses();
  seen_active_ = session_.activeAnalysisPosition();
  Request request{.given = seen_,
                  .places = {},
                  .active = seen_active_,
                  .evaluate = reviewed_,
                  .stores = stores_,
                  .known = known_};
  for (const AnalysisPtr& given : seen_) {
    request.places.push_back(placeFor(given->in()).toStdString());
  }
  JobSettings settings;
  settings.threads = processorCount();
  job_.submit<Answer>(
      tr("Reading labels"), settings,
      [request = std::move(request)](RunContext& context) -> Expected<Answer> {
        return find(request, context);
      },
      this,
      [this](const Expected<Answer>& answer) {
        if (answer) {
          take(*answer);
        } else if (answer.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(errorText(answer.error()));
        }
      });
}

LabelChoice::Answer LabelChoice::find(const Request& request, RunContext& context) {
  Answer answer{
      .evaluated = request.evaluate, .labelled = {}, .source = {}, .stores = {}, .reason = {}};
  for (std::size_t i = 0; i < request.given.size(); ++i) {
    const AnalysisPtr& given = request.given[i];
    answer.labelled.push_back(given);
    const bool active = static_cast<int>(i) == request.active;
    if (request.places[i].empty() || (!request.evaluate && !active)) {
      continue;
    }
    const std::string& place = request.places[i];
    const auto storedIn = [&place](const Stores& stores) {
      const auto found = stores.find(place);
      return found == stores.end() ? nullptr : found->second;
    };
    // All runs on one dataset get the same labels, even if a decision is added meanwhile.
    const auto labels =
        labelsAt(place, storedIn(answer.stores), storedIn(request.stores), *given->in().run);
    if (!labels) {
      if (labels.error().code != ErrorCode::kNotFound) {
        answer.reason = errorText(labels.error());
      }
      continue;
    }
    const ReviewedLabelsPtr& reviewed = *labels;
    answer.stores[place] = reviewed;
    if (!request.evaluate) {
      const auto changed = relabelled(*given->in().run, *reviewed);
      if (changed) {
        answer.source = changed->meta.reviewed_labels;
      }
      continue;
    }
    const auto known = std::ranges::find_if(request.known, [&](const AnalysisPtr& analysis) {
      return analysis->given == given && analysis->reviewed == reviewed;
    });
    const auto labelled = known != request.known.end()
                              ? Expected<AnalysisPtr>(*known)
                              : relabelledAnalysis(given, reviewed, context);
    if (!labelled) {
      answer.reason = errorText(labelled.error());
      continue;
    }
    answer.labelled.back() = *labelled;
    if (active) {
      answer.source = (*labelled)->in().run->meta.reviewed_labels;
    }
  }
  return answer;
}

void LabelChoice::take(const Answer& answer) {
  for (const auto& [place, labels] : answer.stores) {
    stores_[place] = labels;
  }
  source_ = answer.source;
  if (answer.evaluated) {
    known_ = answer.labelled;
  }
  std::erase_if(known_, [open = givenAnalyses()](const AnalysisPtr& analysis) {
    return !analysis->given || std::ranges::find(open, analysis->given) == open.end();
  });
  if (answer.labelled.empty()) {
    reviewed_ = false;
  }
  // Otherwise an answer to the present choice follows.
  if (reviewed_ && answer.evaluated) {
    show(answer);
  }
  Q_EMIT changed();
}

void LabelChoice::show(const Answer& answer) {
  if (!session_.setLabelled(answer.labelled)) {
    refresh();  // another run was added or closed meanwhile
  } else if (std::ranges::all_of(answer.labelled,
                                 [](const AnalysisPtr& one) { return !one->reviewed; })) {
    reviewed_ = false;
    Q_EMIT failed(
        tr("%1. The given labels are shown.")
            .arg(answer.reason.isEmpty() ? tr("No open run has reviewed labels") : answer.reason));
  }
}

}  // namespace dubito
