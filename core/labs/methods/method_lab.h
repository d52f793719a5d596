// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/base/stopwatch.h"
#include "core/labs/methods/lab_method.h"

namespace dubito {

/// What a laboratory shows of one method at one moment, whatever is learned.
struct MethodPicture {
  bool scored_on_training_points = false;  ///< no test points exist
  std::int64_t scored_points = 0;
  LabDiagnostics diagnostics;
  std::int64_t done = 0;   ///< units of work
  std::int64_t total = 0;  ///< units of work needed
  double seconds = 0.0;    ///< spent in advance(), without predictions
};

/// Trains one method on one dataset and measures the time that takes. Subclasses add predictions
/// and scores.
template <class Data, class Learner>
class MethodLab {
 public:
  [[nodiscard]] std::int64_t done() const { return learner_->done(); }
  [[nodiscard]] std::int64_t total() const { return learner_->total(); }
  /// Errors as LabLearner::advance().
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) {
    const Stopwatch watch;
    Status advanced = learner_->advance(units, context);
    seconds_ += watch.seconds();
    return advanced;
  }
  /// Spent in advance() so far.
  [[nodiscard]] double seconds() const { return seconds_; }

 protected:
  MethodLab(Data data, std::unique_ptr<Learner> learner)
      : data_(std::move(data)), learner_(std::move(learner)) {}

  [[nodiscard]] const Data& data() const { return data_; }
  [[nodiscard]] const Learner& learner() const { return *learner_; }
  /// The points on which methods are scored: those of the test, or of the training if there are
  /// none. Records in `picture` which and how many.
  [[nodiscard]] const auto& scoredPoints(MethodPicture& picture) const {
    picture.scored_on_training_points = data_.test.size() == 0;
    const auto& scored = picture.scored_on_training_points ? data_.train : data_.test;
    picture.scored_points = scored.size();
    return scored;
  }
  /// Writes diagnostics, units of work and time.
  void describeState(MethodPicture& picture) const {
    picture.diagnostics = learner_->diagnostics();
    picture.done = done();
    picture.total = total();
    picture.seconds = seconds_;
  }

 private:
  Data data_;
  std::unique_ptr<Learner> learner_;
  double seconds_ = 0.0;
};

}  // namespace dubito
