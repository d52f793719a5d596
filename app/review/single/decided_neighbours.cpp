// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/single/decided_neighbours.h"

#include <optional>
#include <utility>

#include "app/jobs/window_jobs.h"
#include "app/review/reviewer.h"
#include "app/session/error_text.h"
#include "app/workbench/run_computer.h"
#include "core/network/neighbours/nearest_rows.h"

namespace dubito {
namespace {

/// A run that took no longer is repeated without asking, for its features.
constexpr double kQuickSeconds = 20.0;

}  // namespace

DecidedNeighbours::DecidedNeighbours(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer,
                                     QObject* parent)
    : QObject(parent),
      reviewer_(reviewer),
      jobs_(jobs),
      computer_(computer),
      index_job_(jobs.computeThread()),
      search_job_(thread_) {
  jobs_.watch(index_job_);
  connect(&index_job_, &Job::progressChanged, this, [this](const Progress& progress) {
    if (progress.total > 0) {
      Q_EMIT progressed(static_cast<int>(100 * progress.done / progress.total));
    }
  });
  const LabelFile& file = reviewer_.file();
  connect(&file, &LabelFile::reloaded, this, &DecidedNeighbours::countDecided);
  connect(&file, &LabelFile::updated, this, &DecidedNeighbours::updateDecided);
  connect(&reviewer_, &Reviewer::stateChanged, this, [this] {
    if (table_ && !fits(table_->index)) {
      table_.reset();  // may be gigabytes
      decided_.clear();
      decided_count_ = 0;
      Q_EMIT stateChanged();
    }
  });
}

bool DecidedNeighbours::fits(const FeatureIndexPtr& index) const {
  const AnalysisPtr& analysis = reviewer_.analysis();
  return analysis && index->model() == analysis->model &&
         index->dataset() == analysis->in().dataset;
}

DecidedNeighbours::State DecidedNeighbours::state() const {
  const AnalysisPtr& analysis = reviewer_.analysis();
  if (!analysis || !analysis->model || !analysis->in().dataset ||
      !analysis->model->audit().head.found) {
    return State::kUnavailable;
  }
  if (isActive(index_job_.state())) {
    return State::kIndexing;
  }
  return table_ && fits(table_->index) ? State::kReady : State::kNotStarted;
}

bool DecidedNeighbours::busy() const {
  return isActive(index_job_.state()) || search_job_.busy();
}

void DecidedNeighbours::start() {
  if (state() != State::kNotStarted) {
    return;
  }
  using TablePtr = std::shared_ptr<const Table>;
  failure_.clear();
  index_job_.start<TablePtr>(
      tr("Features of the images"), computer_.jobSettings(),
      [model = reviewer_.analysis()->model,
       dataset = reviewer_.analysis()->in().dataset](RunContext& context) -> Expected<TablePtr> {
        auto index = FeatureIndex::of(model, dataset, {}, context);
        if (!index) {
          return failWith(index);
        }
        auto table = std::make_shared<Table>();
        table->index = std::move(*index);
        const std::vector<std::int64_t>& ids = table->index->table().ids;
        table->row_of_item.reserve(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) {
          table->row_of_item.emplace(ids[i], static_cast<std::int64_t>(i));
        }
        return TablePtr(std::move(table));
      },
      this,
      [this, model = reviewer_.analysis()->model](Expected<TablePtr> table) {
        if (table) {
          table_ = std::move(*table);
          countDecided();
        } else {
          failed_model_ = model;  // or cancelled: tried again only on request
          if (table.error().code != ErrorCode::kCancelled) {
            failure_ = errorText(table.error());
          }
        }
        Q_EMIT stateChanged();
      });
  Q_EMIT stateChanged();
}

void DecidedNeighbours::startIfQuick() {
  if (state() != State::kNotStarted || failed_model_ == reviewer_.analysis()->model) {
    return;
  }
  const auto& timings = reviewer_.analysis()->in().run->meta.timings;
  const auto total = timings.find("total");
  if (total != timings.end() && total->second <= kQuickSeconds) {
    start();
  }
}

void DecidedNeighbours::search(std::int64_t row) {
  if (state() != State::kReady || decided_count_ == 0) {
    return;
  }
  const auto at = table_->row_of_item.find(reviewer_.analysis()->in().run->ids.data()[row]);
  if (at == table_->row_of_item.end()) {
    Q_EMIT found(row, {});  // unreadable, or not among the sampled items
    return;
  }
  search_job_.submit<std::vector<Neighbour>>(
      tr("Similar images"), JobSettings(),
      [table = table_, at = at->second, decided = decided_](RunContext& context) {
        const FeatureTable& features = table->index->table();
        return nearestRows(features, features.features.row(at), kCount,
                           features.indices[static_cast<std::size_t>(at)], context, decided);
      },
      this,
      [this, row, of = table_](const Expected<std::vector<Neighbour>>& neighbours) {
        if (!neighbours || of != table_) {
          return;
        }
        std::vector<std::int64_t> rows;
        for (const Neighbour& neighbour : *neighbours) {
          if (const auto found_row = reviewer_.rowOf(neighbour.id)) {
            rows.push_back(*found_row);
          }
        }
        Q_EMIT found(row, rows);
      });
}

void DecidedNeighbours::countDecided() {
  if (!table_) {
    return;
  }
  decided_.assign(table_->index->table().ids.size(), 0);
  decided_count_ = 0;
  for (const auto& [item, label] : reviewer_.file().labels()) {
    setDecided(item);
  }
}

void DecidedNeighbours::updateDecided(const std::vector<std::int64_t>& items) {
  if (table_) {
    for (const std::int64_t item : items) {
      setDecided(item);
    }
  }
}

void DecidedNeighbours::readNewest() {
  if (table_) {
    for (const RecordedDecision& recorded : reviewer_.file().newest()) {
      setDecided(recorded.decision.item);
    }
  }
}

void DecidedNeighbours::setDecided(std::int64_t item) {
  const auto row = table_->row_of_item.find(item);
  if (row == table_->row_of_item.end()) {
    return;
  }
  const PresentLabel* const label = reviewer_.file().labelOf(item);
  const bool decided =
      label != nullptr && assignsClass(label->action) && label->origin == LabelOrigin::kPerson;
  std::uint8_t& known = decided_[static_cast<std::size_t>(row->second)];
  decided_count_ += (decided ? 1 : 0) - known;
  known = decided ? 1 : 0;
}

}  // namespace dubito
