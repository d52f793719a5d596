// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/rank_group.h"
#include "core/base/rank_share.h"
#include "core/io/parts_folder.h"
#include "core/predict/kept_parts.h"
#include "core/predict/predict_to_file.h"
#include "core/predict/prediction_loop_torch.h"

namespace dubito {

/// A finished part stored on disk.
struct KeptPart {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::string path;
};

/// The sizes of the first readable part in `folder`; empty if there is none. kCancelled.
[[nodiscard]] Expected<std::optional<RunSizes>> readExistingSizes(const PartsFolder& folder,
                                                                  RunContext& context);

/// Writes a prediction to a file. Finished parts are stored in a folder, so that it can be resumed.
class ResumablePrediction : public PartSink {
 public:
  /// All arguments must outlive the object.
  ResumablePrediction(PreparedPrediction& prediction, const Dataset& dataset, PartsFolder& folder,
                      const SaveOptions& save, RunContext& context)
      : prediction_(prediction),
        dataset_(dataset),
        folder_(folder),
        save_(save),
        context_(context),
        identity_(prediction.identity()) {}

  /// Computes the missing parts and assembles the run.
  [[nodiscard]] Expected<SavedRun> run();
  /// Computes this process's share, in parts that another process assembles into the run.
  [[nodiscard]] Status computeShare(RankGroup& ranks);

  /// Number of items reused from parts that already existed.
  [[nodiscard]] std::int64_t resumedItems() const { return saved_.resumed_items; }

  [[nodiscard]] bool isDue(std::int64_t items,
                           std::chrono::steady_clock::time_point start_time) const override;
  [[nodiscard]] Status take(ComputedPart computed) override;
  [[nodiscard]] std::string stage() const override;

 private:
  /// Number of items of the dataset that these parts cover.
  Expected<std::int64_t> readExistingParts();
  Status reusePart(const std::string& path, const RunPart& part, PartDetails details);
  [[nodiscard]] tl::unexpected<Error> refused(const std::string& reason) const;
  [[nodiscard]] std::vector<IndexRange> missing() const;
  Expected<bool> compute(PredictionLoop& loop, std::span<const IndexRange> ranges);
  Status writeRunFile(const RunMeta& meta);
  void keep(KeptPart part);
  void addFindings(std::int64_t begin, RunFindings findings);
  [[nodiscard]] tl::unexpected<Error> explained(Error error) const;

  PreparedPrediction& prediction_;
  const Dataset& dataset_;
  PartsFolder& folder_;
  const SaveOptions& save_;
  RunContext& context_;
  RunIdentity identity_;
  std::vector<KeptPart> kept_;    ///< ascending
  std::optional<Run> whole_run_;  ///< the whole run, if it is too short for parts
  bool shares_ = false;  ///< true if this process computes only a share, and therefore stores all
                         ///< results as parts
  RunFindings all_;
  /// Merged in order at the end, because parts are not read in dataset order.
  std::map<std::int64_t, std::vector<SkippedItem>> skipped_from_;
  SavedRun saved_;
};

}  // namespace dubito
