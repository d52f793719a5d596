// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/automatic/autolabeller.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "app/review/learn/learned_run.h"
#include "app/session/error_text.h"
#include "core/data/overlap/run_overlap.h"
#include "core/decisions/calibration_size.h"
#include "core/decisions/run_uncertainty.h"
#include "core/io/calibration_transfer.h"
#include "core/io/join_runs.h"
#include "core/io/run_needs.h"
#include "core/labels/label_records.h"
#include "core/review/reviewed_sample.h"
#include "widgets/number_text.h"

namespace dubito {
namespace {

constexpr int kAutolabelThreads = 2;
/// Of the curve; more cannot be distinguished on a screen.
constexpr std::size_t kCurvePoints = 400;
/// Beyond, nobody would label items for calibration.
constexpr std::int64_t kMaxCalibration = 10'000'000;

/// What they cost is shown side by side.
constexpr std::array kComparedTargets = {0.9, 0.95, 0.99};

JobSettings autolabelSettings() {
  JobSettings settings;
  settings.threads = kAutolabelThreads;
  return settings;
}

/// [N], 1: the present label is the prediction, given by a model.
std::vector<std::uint8_t> labelledAlready(const Run& run, const LabelRecords& records) {
  std::unordered_map<std::int64_t, std::int64_t> class_of_model;
  for (const PresentLabel& label : records.labels) {
    if (label.origin == LabelOrigin::kModel && label.class_id) {
      class_of_model.emplace(label.item, *label.class_id);
    }
  }
  std::vector<std::uint8_t> is_labelled;
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    const auto found = class_of_model.find(run.ids.data()[row]);
    is_labelled.push_back(found != class_of_model.end() &&
                                  found->second ==
                                      mergedClass(records.classes, run.predictions.data()[row])
                              ? 1
                              : 0);
  }
  return is_labelled;
}

/// Why a run cannot be used; empty: it can.
Expected<QString> obstacleTo(const AnalysisPart& calibration, const AnalysisPart& part,
                             RunContext& context) {
  const Run& run = *part.run;
  const Run& other = *calibration.run;
  if (!calibration.labelled) {
    return Autolabeller::tr("its images have no labels");
  }
  if (isItsOwnLabel(other)) {
    return Autolabeller::tr("its labels are its own suggestions");
  }
  if (other.classCount() != run.classCount()) {
    return Autolabeller::tr("it has %1 classes, this run %2")
        .arg(countText(other.classCount()), countText(run.classCount()));
  }
  if (!sameClasses({run, ""}, {other, ""})) {
    return Autolabeller::tr("its classes have other names");
  }
  if (!sameNetwork(other.meta, run.meta)) {
    return Autolabeller::tr("it has another source, whose mistakes say nothing about this one");
  }
  if (!calibrationTransfers(other.meta, run.meta)) {
    return Autolabeller::tr("it was computed with another method or other settings");
  }
  const auto overlap = findOverlap(other, run, context);
  if (!overlap) {
    return failWith(overlap);
  }
  if (!checkSharedItems(overlap->shared, "calibration", calibration.name, part.name, false)) {
    return Autolabeller::tr("it is over the same images: %1 of %2")
        .arg(overlap->shared.same + overlap->shared.alike)
        .arg(overlap->shared.evaluated);
  }
  return QString();
}

}  // namespace

struct Autolabeller::Basis {
  AnalysisPtr analysis;
  AutolabelBasis items;
  std::vector<std::uint8_t> errors;  ///< of the calibration items, the most certain first
  Curve accuracy_by_share;
  std::vector<std::uint8_t> is_labelled;  ///< [N], 1: has the label that the model would give
  bool is_reviewed = false;               ///< the errors are those of reviewed items
  std::int64_t skipped = 0;
  std::int64_t not_random = 0;
};

Autolabeller::Autolabeller(Reviewer& reviewer, QObject* parent)
    : QObject(parent),
      reviewer_(reviewer),
      sources_job_(thread_),
      basis_job_(thread_),
      preview_job_(thread_),
      write_job_(thread_) {
  LabelFile& file = reviewer_.file();
  connect(&file, &LabelFile::recorded, this, [this](const std::vector<std::int64_t>& items) {
    if (std::exchange(writing_, false)) {
      Q_EMIT labelled(static_cast<qint64>(items.size()));
    }
  });
  // A step of the model changes which items are left to the person. Steps of persons do not: a
  // queue stays unchanged while they work on it.
  connect(&file, &LabelFile::modelLabelsChanged, &reviewer_.reviewQueue(), &ReviewQueue::refresh);
  connect(&file, &LabelFile::failed, this, [this] { writing_ = false; });
}

Autolabeller::~Autolabeller() = default;

bool Autolabeller::usesReviewed() const {
  return source_ < sources_.size() && sources_[source_].analysis == nullptr;
}

std::int64_t Autolabeller::calibrationCount() const {
  return basis_ ? static_cast<std::int64_t>(basis_->errors.size()) : 0;
}

bool Autolabeller::busy() const {
  return writing_ || sources_job_.busy() || basis_job_.busy() || preview_job_.busy();
}

void Autolabeller::report(const Error& error) {
  if (error.code != ErrorCode::kCancelled) {
    Q_EMIT failed(errorText(error));
  }
}

// --- what a threshold can be chosen on ----------------------------------------------------------

void Autolabeller::refresh() {
  if (!reviewer_.active()) {
    return;
  }
  if (analysis_ != reviewer_.analysis()) {
    analysis_ = reviewer_.analysis();
    source_chosen_ = false;
    basis_ = nullptr;
    preview_ = nullptr;
  }
  checkSources();
}

void Autolabeller::checkSources() {
  sources_job_.submit<std::vector<CalibrationSource>>(
      tr("Comparing runs"), autolabelSettings(),
      [shown = analysis_, all = reviewer_.session().analyses(),
       known = sources_](RunContext& context) -> Expected<std::vector<CalibrationSource>> {
        std::vector<CalibrationSource> sources;
        for (const AnalysisPtr& analysis : all) {
          if (givenOf(analysis) == shown) {
            continue;
          }
          const auto obstacle = obstacleTo(analysis->in(), shown->in(), context);
          if (!obstacle) {
            return failWith(obstacle);
          }
          const RunMeta& meta = analysis->in().run->meta;
          const DatasetPtr& dataset = analysis->in().dataset;
          const bool is_calibration =
              meta.role == "calibration" || (dataset && dataset->info().role == Role::kCalibration);
          sources.push_back({analysis, is_calibration, *obstacle});
        }
        std::ranges::stable_sort(sources, {}, [](const CalibrationSource& source) {
          return std::pair(!source.obstacle.isEmpty(), !source.is_calibration);
        });
        sources.push_back({});
        return sources;
      },
      this,
      [this, shown = analysis_](Expected<std::vector<CalibrationSource>> sources) {
        if (shown != reviewer_.analysis()) {
          return;
        }
        if (!sources) {
          report(sources.error());
          return;
        }
        takeSources(*std::move(sources));
      });
}

void Autolabeller::takeSources(std::vector<CalibrationSource> sources) {
  const AnalysisPtr before = source_ < sources_.size() ? sources_[source_].analysis : AnalysisPtr();
  sources_ = std::move(sources);
  const auto kept = std::ranges::find(sources_, before, &CalibrationSource::analysis);
  // The sources end with the reviewed items, which are always possible.
  const auto first = std::ranges::find(sources_, QString(), &CalibrationSource::obstacle);
  source_ = static_cast<std::size_t>((source_chosen_ && kept != sources_.end() ? kept : first) -
                                     sources_.begin());
  Q_EMIT sourcesChanged();
  computeBasis();
}

void Autolabeller::setSource(std::size_t source) {
  source_ = source;
  source_chosen_ = true;
  computeBasis();
}

void Autolabeller::setMeasure(Measure measure) {
  measure_ = measure;
  computeBasis();
}

// --- what a target leads to ---------------------------------------------------------------------

void Autolabeller::computeBasis() {
  if (!reviewer_.active() || source_ >= sources_.size()) {
    return;
  }
  basis_job_.submit<BasisPtr>(
      tr("Preparing the threshold"), autolabelSettings(),
      [analysis = analysis_, source = sources_[source_], measure = measure_,
       place = reviewer_.file().place().toStdString()](RunContext& context) -> Expected<BasisPtr> {
        auto records = readRecords(place);
        if (!records) {
          return failWith(records);
        }
        const Run& run = *analysis->in().run;
        auto basis = std::make_shared<Basis>();
        basis->analysis = analysis;
        CalibrationItems items;
        if (source.analysis) {
          auto labelled =
              calibrationItems(*source.analysis->in().run, source.analysis->name, measure, context);
          if (!labelled) {
            return failWith(labelled);
          }
          items = *std::move(labelled);
        } else {
          const auto uncertainty = uncertaintyOf(run, analysis->name, measure, context);
          if (!uncertainty) {
            return failWith(uncertainty);
          }
          if (Status fresh = removeLearned(place, analysis->model.get(), records->journal);
              !fresh) {
            return failWith(fresh);
          }
          const ReviewedSample sample =
              reviewedSample(run, records->journal, records->labels, records->classes);
          items = calibrationItems(sample, uncertainty->values.values(), uncertainty->top);
          basis->is_reviewed = true;
          basis->skipped = sample.open;
          basis->not_random = sample.others;
        }
        basis->errors = errorsByUncertainty(items);
        basis->is_labelled = labelledAlready(run, *records);
        basis->accuracy_by_share = accuracyByShare(items, kCurvePoints);
        auto prepared =
            autolabelBasis(run, std::move(items),
                           {.name = analysis->name, .labels = records->labels}, measure, context);
        if (!prepared) {
          return failWith(prepared);
        }
        basis->items = *std::move(prepared);
        return BasisPtr(std::move(basis));
      },
      this,
      [this](Expected<BasisPtr> basis) {
        if (!basis) {
          report(basis.error());
          return;
        }
        if ((*basis)->analysis == reviewer_.analysis()) {
          basis_ = *std::move(basis);
          computePreview();
        }
      });
}

void Autolabeller::setTarget(double target) {
  selection_.target = target;
  computePreview();
}

void Autolabeller::setDelta(double delta) {
  selection_.delta = delta;
  computePreview();
}

void Autolabeller::computePreview() {
  if (!basis_) {
    return;
  }
  preview_job_.submit<AutolabelPreviewPtr>(
      tr("Choosing the threshold"), autolabelSettings(),
      [basis = basis_,
       selection = selection_](RunContext& context) -> Expected<AutolabelPreviewPtr> {
        auto preview = std::make_shared<AutolabelPreview>();
        if (basis->errors.empty()) {
          preview->plan = withThreshold(basis->items, {});
        } else {
          auto plan = autolabel(basis->items, selection, context);
          if (!plan) {
            return failWith(plan);
          }
          preview->plan = *std::move(plan);
        }
        preview->fresh = std::ranges::count_if(preview->plan.rows, [&basis](std::int64_t row) {
          return basis->is_labelled[static_cast<std::size_t>(row)] == 0;
        });
        preview->accuracy_by_share = basis->accuracy_by_share;
        preview->skipped = basis->skipped;
        preview->not_random = basis->not_random;
        if (!preview->plan.selection.threshold) {
          preview->items_needed = calibrationItemsNeeded(basis->errors, selection, kMaxCalibration);
        }
        if (basis->is_reviewed) {
          for (const double target : kComparedTargets) {
            SelectionOptions other = selection;
            other.target = target;
            preview->needed_for.emplace_back(
                target, calibrationItemsNeeded(basis->errors, other, kMaxCalibration));
          }
        }
        return AutolabelPreviewPtr(std::move(preview));
      },
      this,
      [this, basis = basis_](Expected<AutolabelPreviewPtr> preview) {
        if (!preview) {
          report(preview.error());
        } else if (basis->analysis == reviewer_.analysis()) {
          preview_ = *std::move(preview);
          Q_EMIT previewChanged();
        }
      });
}

// --- labels --------------------------------------------------------------------------------------

void Autolabeller::write() {
  if (!basis_ || writing_ || basis_->analysis != reviewer_.analysis()) {
    return;
  }
  writing_ = write_job_.start<std::vector<Decision>>(
      tr("Labelling"), autolabelSettings(),
      [basis = basis_, selection = selection_, measure = measure_,
       place = reviewer_.file().place().toStdString()](
          RunContext& context) -> Expected<std::vector<Decision>> {
        // The labels of now: somebody may have decided since the preview.
        const auto records = readRecords(place);
        if (!records) {
          return failWith(records);
        }
        const Run& run = *basis->analysis->in().run;
        const AutolabelInputs inputs{.name = basis->analysis->name, .labels = records->labels};
        const auto items = autolabelBasis(run, basis->items.calibration, inputs, measure, context);
        auto plan = items ? autolabel(*items, selection, context) : failWith(items);
        if (!plan) {
          return failWith(plan);
        }
        std::erase_if(plan->rows, [is_labelled = labelledAlready(run, *records)](std::int64_t row) {
          return is_labelled[static_cast<std::size_t>(row)] != 0;
        });
        std::vector<Decision> decisions = autolabelDecisions(*plan, run, inputs, {});
        const AnalysisPart& part = basis->analysis->in();
        for (std::size_t i = 0; i < decisions.size(); ++i) {
          Decision& decision = decisions[i];
          decision.class_id = mergedClass(records->classes, *decision.class_id);
          const auto row = static_cast<std::size_t>(plan->rows[i]);
          if (part.dataset && part.dataset_index[row] >= 0) {
            decision.item_name = part.dataset->itemName(part.dataset_index[row]);
          }
        }
        return decisions;
      },
      this,
      [this](Expected<std::vector<Decision>> decisions) {
        if (!decisions || decisions->empty()) {
          writing_ = false;
          if (!decisions) {
            report(decisions.error());
          }
          Q_EMIT previewChanged();
          return;
        }
        reviewer_.file().decide(*std::move(decisions));
      });
  Q_EMIT previewChanged();
}

}  // namespace dubito
