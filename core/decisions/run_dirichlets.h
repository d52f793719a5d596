// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/run.h"

namespace dubito {

/// A Dirichlet over the probabilities of every item of a run.
class RunDirichlets {
 public:
  /// `source` is "run" (alpha as stored by the method), "moments" (momentMatchedAlpha of two or
  /// more draws) or "auto": the first of these that is available. `run` must outlive the object;
  /// `name` is used in messages. kInvalidArgument if the source is not available, or for fewer than
  /// two classes.
  [[nodiscard]] static Expected<RunDirichlets> of(const Run& run, const std::string& name,
                                                  const std::string& source);
  [[nodiscard]] static const std::vector<std::string>& sources();

  /// "run" or "moments".
  [[nodiscard]] const std::string& source() const { return source_; }
  /// In words: "alpha of laplace", "moments of 50 draws".
  [[nodiscard]] std::string describe() const;
  /// Alpha [K] of item `i`, positive and finite. Unchecked.
  [[nodiscard]] std::vector<double> alpha(std::int64_t i) const;

 private:
  RunDirichlets(const Run& run, std::string source) : run_(&run), source_(std::move(source)) {}

  const Run* run_;
  std::string source_;
};

}  // namespace dubito
