// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>

#include <utility>
#include <vector>

#include "core/train/batch_norm_torch.h"
#include "core/train/network_writer_torch.h"

namespace dubito {
namespace {

using torch::jit::Module;

std::vector<at::Tensor> weightsOf(const Module& network) {
  std::vector<at::Tensor> weights;
  for (const at::Tensor& parameter : network.parameters()) {
    weights.push_back(parameter);
  }
  return weights;
}

}  // namespace

NetworkWriter::NetworkWriter(const TrainingSet& set, const TrainOptions& options,
                             const Module& network, std::string output_path, Write write)
    : set_(set),
      options_(options),
      network_(network),
      output_path_(std::move(output_path)),
      write_(std::move(write)) {}

Module NetworkWriter::copy() const {
  const at::NoGradGuard no_gradients;
  Module network = network_.deepcopy();
  for (at::Tensor parameter : network.parameters()) {
    parameter.set_requires_grad(true);
  }
  return network;
}

Status NetworkWriter::writeSnapshot(std::int64_t cycle) const {
  Module network = copy();
  return write_(network, numberedPath(output_path_, cycle + 1), {{"snapshot", cycle + 1}});
}

Status NetworkWriter::afterEpoch(std::int64_t epochs) const {
  const AveragingOptions& averaging = options_.averaging;
  if (averaging.snapshots == 0) {
    return {};
  }
  const std::int64_t cycle = averaging.cycleOf(epochs - 1, options_.epochs);
  return epochs == averaging.cycleBegin(cycle + 1, options_.epochs) ? writeSnapshot(cycle)
                                                                    : Status();
}

Status NetworkWriter::writeAverage(const WeightAverage& average, TrainReport& report,
                                   RunContext& context) const {
  report.averaged_epochs = average.count();
  const auto write = [&](const std::string& path, std::int64_t sample) -> Status {
    Module network = copy();
    nlohmann::json further{{"averaged_epochs", average.count()}};
    if (sample > 0) {
      average.writeSample(weightsOf(network), context.seed, sample);
      further["swag_sample"] = sample;
    } else {
      average.writeMean(weightsOf(network));
    }
    if (Status refreshed = refreshBatchNorm(network, set_, options_, context); !refreshed) {
      return refreshed;
    }
    return write_(network, path, further);
  };
  // The average comes last: if its file is there, so are the others.
  std::vector<std::string> paths = networkPaths(options_.averaging, output_path_);
  if (average.count() < 2) {
    paths.resize(1);  // stopped early; one set of weights has no spread
  }
  for (auto sample = static_cast<std::int64_t>(paths.size()) - 1; sample >= 0; --sample) {
    if (Status written = write(paths[static_cast<std::size_t>(sample)], sample); !written) {
      return written;
    }
  }
  report.networks = std::move(paths);
  return {};
}

Status NetworkWriter::finishSnapshots(TrainReport& report) const {
  const AveragingOptions& averaging = options_.averaging;
  const auto epochs = static_cast<std::int64_t>(report.epochs.size());
  std::int64_t count = averaging.snapshots;
  if (report.stopped_early) {
    count = averaging.cycleOf(epochs, options_.epochs);
    // The weights so far are the network of the unfinished cycle, unless it has only begun.
    if (count == 0 || epochs > averaging.cycleBegin(count, options_.epochs)) {
      if (Status written = writeSnapshot(count); !written) {
        return written;
      }
      ++count;
    }
  }
  report.networks = networkPaths(averaging, output_path_);
  report.networks.resize(static_cast<std::size_t>(count));
  return {};
}

Status NetworkWriter::finish(const TrainingLoop& loop, TrainReport& report,
                             RunContext& context) const {
  if (options_.averaging.snapshots > 0) {
    return finishSnapshots(report);
  }
  if (loop.average() && loop.average()->count() > 0) {
    return writeAverage(*loop.average(), report, context);
  }
  Module network = copy();
  if (Status written = write_(network, output_path_, nlohmann::json::object()); !written) {
    return written;
  }
  report.networks = {output_path_};
  return {};
}

}  // namespace dubito
