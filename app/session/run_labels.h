// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/io/run.h"

namespace dubito {

/// Name and note that a user gave to a run.
struct RunLabel {
  std::string name;  ///< replaces the generated name; empty: none
  std::string note;  ///< free text

  friend bool operator==(const RunLabel&, const RunLabel&) = default;
};

/// Labels of analyses, keyed by their in-distribution runs, so that labels survive re-evaluation.
class RunLabels {
 public:
  using RunPtr = std::shared_ptr<const Run>;

  void set(const RunPtr& run, RunLabel label);
  [[nodiscard]] RunLabel of(const RunPtr& run) const;

 private:
  std::map<std::weak_ptr<const Run>, RunLabel, std::owner_less<>> labels_;
};

}  // namespace dubito
