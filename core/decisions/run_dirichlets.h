// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/run.h"

namespace dubito {

/// For every item of a run, a Dirichlet over its class probabilities.
class RunDirichlets {
 public:
  /// `source` is "run" (alpha as stored by the method), "moments" (momentMatchedAlpha of two or
  /// more draws) or "auto" ("run" if available, else "moments"). `run` must outlive the object;
  /// `name` is used in messages. kInvalidArgument if the source is not available or there are fewer
  /// than two classes.
  [[nodiscard]] static Expected<RunDirichlets> of(const Run& run, const std::string& name,
                                                  const std::string& source);
  [[nodiscard]] static const std::vector<std::string>& sources();

  /// "run" or "moments".
  [[nodiscard]] const std::string& source() const { return source_; }
  /// The source in words: "alpha of laplace", "moments of 50 draws".
  [[nodiscard]] std::string describe() const;
  /// Alpha [K] of item `i`, positive and finite. `i` is not checked.
  [[nodiscard]] std::vector<double> alpha(std::int64_t i) const;

 private:
  RunDirichlets(const Run& run, std::string source) : run_(&run), source_(std::move(source)) {}

  const Run* run_;
  std::string source_;
};

}  // namespace dubito
