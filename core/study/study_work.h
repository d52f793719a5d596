// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/study/study_plan.h"
#include "core/study/target_learner.h"

namespace dubito {

struct LabellingRuns;

/// A result that could not be computed.
struct StudyFailure {
  std::string what;     ///< "plain, seed 3"
  std::string message;  ///< why, and what to do
};

/// Counts of finished work, for messages.
struct StudyCounts {
  std::int64_t trained = 0;    ///< networks
  std::int64_t predicted = 0;  ///< runs, ensembles included
  std::int64_t evaluated = 0;
  std::int64_t kept = 0;        ///< results that were there
  std::int64_t recomputed = 0;  ///< results that were damaged
  std::int64_t left_out = 0;    ///< results that need one that failed

  void add(const StudyCounts& other);
};

/// Computes the results of a plan that are not there, one piece of work after the other. A result
/// that fails is recorded, and the others are computed all the same.
class StudyWorker {
 public:
  /// The references must outlive this. `on_line` (may be empty) receives lines for the user.
  StudyWorker(const StudySpec& spec, const StudyInputs& inputs, const StudyPlan& plan,
              std::function<void(const std::string&)> on_line);

  /// Trains a network, fits its methods and computes its runs. kCancelled, with all finished
  /// results on the disk.
  [[nodiscard]] Status runNetwork(std::size_t network_task, RunContext& context);
  /// Averages the members of an evaluation, evaluates and labels; its runs must be there, except
  /// those that failed. kCancelled.
  [[nodiscard]] Status runEvaluation(std::size_t evaluation, RunContext& context);

  [[nodiscard]] const std::vector<StudyFailure>& failures() const { return failures_; }
  [[nodiscard]] const StudyCounts& counts() const { return counts_; }

 private:
  /// Whether there is a result, whole; removes a damaged one, which is computed again.
  [[nodiscard]] bool isFinishedResult(const std::string& path);
  [[nodiscard]] bool isFinishedRun(const std::string& path, RunContext& context);
  [[nodiscard]] Status trainNetwork(const NetworkTask& task, RunContext& context);
  [[nodiscard]] Expected<MethodOptions> fitMethod(const Model& model, const RunTask& task,
                                                  RunContext& context);
  [[nodiscard]] Expected<std::optional<Run>> openRun(std::size_t run, RunContext& context);
  [[nodiscard]] Status retrainTarget(const EvaluationTask& task, const LabellingRuns& runs,
                                     RunContext& context);
  [[nodiscard]] Status average(const RunTask& task, RunContext& context);
  /// Records a failure; returns it only if it is a cancellation.
  [[nodiscard]] Status noted(const std::string& what, const Error& error);

  const StudySpec& spec_;
  const StudyInputs& inputs_;
  const StudyPlan& plan_;
  std::function<void(const std::string&)> on_line_;
  std::vector<StudyFailure> failures_;
  StudyCounts counts_;
  /// Of the last retraining: evaluations of a network follow each other.
  std::optional<RetrainedNetwork> retrained_;
};

}  // namespace dubito
