// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"

namespace dubito {

/// A number that describes a fit, such as the acceptance of a sampler.
struct LabDiagnostic {
  std::string key;   ///< in snake_case, for JSON ("acceptance")
  std::string name;  ///< for the window ("Acceptance")
  double value = 0.0;
};

/// What can be shown about a learner besides its predictions.
struct LabDiagnostics {
  std::vector<LabDiagnostic> numbers;
  /// Curves against the unit of work: loss, drop rates, traces. Thinned to a bounded length.
  std::vector<Curve> traces;
  /// Statements a person must know to read the result ("R-hat is 1.31: not a posterior yet").
  std::vector<std::string> warnings;
  /// What the method has chosen itself, if its options only say where it began: "kernel 1.4*se(0.8)
  /// (fitted)"; empty: nothing.
  std::string chosen = {};
  /// False while the method has not reached what it aims at (chains disagree, an optimum is not
  /// reached): its numbers are not ranked. A run that ends like this has a warning that says so.
  bool converged = true;
};

/// A method at work on one problem: advances in units of work, and can predict at any time. Keyed:
/// the state after n units depends on problem, options and seed alone, not on how the units were
/// divided into calls.
class LabLearner {
 public:
  virtual ~LabLearner() = default;

  /// Units of work done so far, and needed in all (epochs, transitions of the chains; 1 for a
  /// closed form).
  [[nodiscard]] virtual std::int64_t done() const = 0;
  [[nodiscard]] virtual std::int64_t total() const = 0;
  /// Does up to `units` further units, at most up to total(). kCancelled if cancelled; after any
  /// error the learner must not be used again.
  [[nodiscard]] virtual Status advance(std::int64_t units, RunContext& context) = 0;
  [[nodiscard]] virtual LabDiagnostics diagnostics() const = 0;
};

/// The options of a method.
class LabMethod {
 public:
  virtual ~LabMethod() = default;
  [[nodiscard]] virtual std::vector<Field> fields() = 0;
  [[nodiscard]] virtual Status check() const = 0;
};

/// A method of the kind `Base` whose options are a struct with fields() and, if there are rules
/// that involve several of them, a const check().
template <class Base, class Options>
class MethodWithOptions : public Base {
 public:
  MethodWithOptions() = default;
  explicit MethodWithOptions(Options options) : options_(std::move(options)) {}
  [[nodiscard]] std::vector<Field> fields() override { return options_.fields(); }
  [[nodiscard]] Status check() const override {
    if constexpr (requires { options_.check(); }) {
      return options_.check();
    } else {
      return checkFields(Options(options_).fields());
    }
  }

 protected:
  [[nodiscard]] const Options& options() const { return options_; }

 private:
  Options options_ = {};
};

/// A method that learns a `ProblemType`; its learners are of the type `LearnerType`.
template <class ProblemType, class LearnerType>
class LearningMethod : public LabMethod {
 public:
  using Problem = ProblemType;
  using Learner = LearnerType;
  /// Starts on `problem`. The caller has called check(). kInvalidArgument, with the remedy, if the
  /// method cannot work on these data (too many points, for example).
  [[nodiscard]] virtual Expected<std::unique_ptr<Learner>> start(const Problem& problem,
                                                                 std::uint64_t seed) const = 0;
};

/// A method of the kind `Base` (a LearningMethod) whose learner is constructed from (problem,
/// options, seed). If the learner has a static check(problem, options), its errors are those of
/// start().
template <class Base, class Options, class Learner>
class LearnerMethod : public MethodWithOptions<Base, Options> {
 public:
  using MethodWithOptions<Base, Options>::MethodWithOptions;
  [[nodiscard]] Expected<std::unique_ptr<typename Base::Learner>> start(
      const typename Base::Problem& problem, std::uint64_t seed) const override {
    if constexpr (requires { Learner::check(problem, this->options()); }) {
      if (const Status checked = Learner::check(problem, this->options()); !checked) {
        return failWith(checked);
      }
    }
    return std::make_unique<Learner>(problem, this->options(), seed);
  }
};

/// Description of a method, for lists, forms and --help.
template <class Method>
struct LabMethodInfo {
  const char* key = nullptr;          ///< "mc-dropout"
  const char* name = nullptr;         ///< "MC dropout"
  const char* explanation = nullptr;  ///< one or two sentences for a student
  const char* formula = nullptr;      ///< what is computed, as plain text
  const char* theory = nullptr;       ///< anchor in docs/theory.md
  /// A method with default options.
  std::unique_ptr<Method> (*make)() = nullptr;
};

/// LabMethodInfo::make of a method of the class `Method` with default options.
template <class Base, class Method>
[[nodiscard]] std::unique_ptr<Base> makeMethod() {
  return std::make_unique<Method>();
}

}  // namespace dubito
