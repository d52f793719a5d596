// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/train.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/version.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "core/base/stopwatch.h"
#include "core/io/atomic_file.h"
#include "core/kernels/cuda_library.h"
#include "core/models/torchscript/torchscript_archive_torch.h"
#include "core/train/checkpoint_torch.h"
#include "core/train/drop_rate_course.h"
#include "core/train/learned_dropout_torch.h"
#include "core/train/module_state_torch.h"
#include "core/train/network_torch.h"
#include "core/train/network_writer_torch.h"
#include "core/train/torch_state_torch.h"
#include "core/train/train_torch.h"
#include "core/train/training_loop_torch.h"
#include "core/train/training_role.h"
#include "core/train/training_set_torch.h"

namespace dubito {
namespace {

using torch::jit::Module;

std::vector<std::string> classNames(const Dataset& dataset, std::int64_t classes) {
  std::vector<std::string> names = dataset.info().class_names;
  for (auto c = static_cast<std::int64_t>(names.size()); c < classes; ++c) {
    names.push_back(std::to_string(c));
  }
  return names;
}

/// Settings that must be equal for training to resume.
nlohmann::json settingsOf(const Dataset& dataset, const TrainingSet& set, TrainOptions options,
                          const RunContext& context) {
  options.learning_rate = initialLearningRate(options);
  nlohmann::json settings = fieldsToJson(options.fields());
  settings["seed"] = context.seed;
  settings["threads"] = context.threads;
  settings["device"] = toString(context.device);
  settings["torch"] = TORCH_VERSION;
  settings["classes"] = classNames(dataset, set.classes);
  settings["data"] = set.content_hash;
  return settings;
}

nlohmann::json metadataOf(const Dataset& dataset, const TrainingSet& set, TrainOptions options,
                          const TrainReport& report, const RunContext& context,
                          const std::string& output_path) {
  options.learning_rate = initialLearningRate(options);
  nlohmann::json metadata = toJson(set.preprocessing);
  metadata["name"] = std::filesystem::path(output_path).stem().string();
  metadata["classes"] = classNames(dataset, set.classes);
  metadata["output"] = "logits";
  nlohmann::json& training = metadata["training"];
  training["dataset"] = dataset.info().name;
  training["role"] = toString(dataset.info().role);
  training["items"] = report.items;
  training["options"] = fieldsToJson(options.fields());
  training["seed"] = context.seed;
  training["threads"] = context.threads;
  training["device"] = toString(context.device);
  training["torch"] = TORCH_VERSION;
  training["data"] = set.content_hash;
  training["epochs_finished"] = report.epochs.size();
  if (!report.epochs.empty()) {
    training["loss"] = report.epochs.back().train_loss;
    training["accuracy"] = report.epochs.back().train_accuracy;
    addDropRateCourse(dropRateCourse(report.epochs), training);
  }
  return metadata;
}

/// Writes `network`, in eval mode and on the CPU, with `metadata` as metadata.json inside the
/// archive, to a temporary file, then renames it.
Status writeNetwork(Module& network, const nlohmann::json& metadata, const std::string& path) {
  network.eval();
  network.to(at::kCPU);
  // Saved to memory first, because torch would store a file name in the archive.
  std::ostringstream archive;
  network.save(archive, {{"metadata.json", metadata.dump(2)}});
  return writeFileAtomically(path, std::string_view(archive.view()));
}

/// A network that was trained with dropout at `places`, ready for use: learned rates become those
/// of ordinary dropout layers.
Expected<Module> withLearnedRates(const Module& trained, const TrainOptions& options,
                                  const TrainingSet& set, const std::vector<DropoutPlace>& places) {
  DropRates rates = learnedRates(trained, places);
  if (rates.empty()) {
    return trained;
  }
  DropoutDesign design(std::move(rates));
  // The initial weights are replaced; those of the training must not depend on how often this is
  // done.
  const at::Generator unused = at::make_generator<at::CPUGeneratorImpl>();
  auto network = buildNetwork(options, set.input_shape, set.classes, unused, design);
  if (network) {
    loadState(stateOf(trained), *network);
  }
  return network;
}

/// Whether the file is a network that a finished training with `settings` wrote after `epochs`
/// epochs.
bool isWrittenBy(const std::string& path, const nlohmann::json& settings, std::int64_t epochs) {
  const auto archive = openTorchScript(path);
  if (!archive) {
    return false;
  }
  try {
    const auto metadata = nlohmann::json::parse(archive->metadata_json);
    const nlohmann::json& training = metadata.at("training");
    nlohmann::json found = training.at("options");
    for (const char* const key : {"seed", "threads", "device", "torch", "data"}) {
      found[key] = training.at(key);
    }
    found["classes"] = metadata.at("classes");
    return found == settings && training.at("epochs_finished") == epochs;
  } catch (const std::exception&) {
    return false;  // absent, damaged, or from elsewhere
  }
}

/// One call of train, after data and network are ready.
class UnfinishedTraining {
 public:
  UnfinishedTraining(TrainingLoop& loop, nlohmann::json settings, std::string output_path)
      : loop_(loop), output_path_(std::move(output_path)), path_(checkpointPath(output_path_)) {
    checkpoint_.settings = std::move(settings);
  }

  /// Resumes an earlier call, if one was interrupted.
  Status resume(const TrainOptions& options, const TrainEvents& events, TrainReport& report) {
    if (options.restart || !std::filesystem::exists(path_)) {
      return {};
    }
    if (Status read = readCheckpoint(path_, checkpoint_, loop_); !read) {
      return read;
    }
    report.resumed = true;
    report.epochs = checkpoint_.epochs;
    if (events.on_note) {
      events.on_note(fmt::format("resuming from {}: {} of {} epochs and {} of {} batches are done",
                                 path_, checkpoint_.position.epoch, options.epochs,
                                 checkpoint_.position.batch, loop_.batchesPerEpoch()));
    }
    return {};
  }

  /// Runs all remaining epochs, recorded in `report`, and writes the networks.
  Status run(const TrainOptions& options, const NetworkWriter& networks, const TrainEvents& events,
             TrainReport& report, RunContext& context) {
    TrainingPosition& position = checkpoint_.position;
    while (position.epoch < options.epochs && !report.stopped_early) {
      EpochReport epoch;
      const Expected<Step> step = loop_.runEpoch(position, epoch);
      if (!step) {
        finish();  // resuming from here would fail again
        return failWith(step);
      }
      if (*step == Step::kCancel) {
        return cancel(options);
      }
      report.stopped_early = *step == Step::kStopEarly;
      if (!report.stopped_early) {
        report.epochs.push_back(epoch);
        if (Status written = networks.afterEpoch(position.epoch); !written) {
          return written;
        }
        if (Status saved = saveIfDue(report); !saved) {
          return saved;
        }
        if (events.on_epoch) {
          events.on_epoch(epoch);
        }
      }
    }
    checkpoint_.epochs = report.epochs;
    Status written = networks.finish(loop_, report, context);
    return !written && written.error().code == ErrorCode::kCancelled ? cancel(options) : written;
  }

  /// Call once the model is written: there is nothing left to resume.
  void finish() {
    std::error_code ignored;  // a leftover file does no harm
    std::filesystem::remove(path_, ignored);
  }

 private:
  /// Epochs on a few items take less time than writing the state does.
  Status saveIfDue(const TrainReport& report) {
    checkpoint_.epochs = report.epochs;
    if (since_saved_.seconds() < kMinSecondsBetweenCheckpoints) {
      return {};
    }
    Status saved = writeCheckpoint(checkpoint_, loop_, path_);
    since_saved_.lap();
    return saved;
  }

  Status cancel(const TrainOptions& options) {
    const Status saved = writeCheckpoint(checkpoint_, loop_, path_);
    const std::string where =
        fmt::format("{}: training cancelled in epoch {} of {}", output_path_,
                    std::min(checkpoint_.position.epoch + 1, options.epochs), options.epochs);
    if (!saved) {
      return fail(
          ErrorCode::kCancelled,
          fmt::format("{}, and its state could not be saved ({})", where, saved.error().message),
          saved.error().remedy.settings);
    }
    return fail(ErrorCode::kCancelled,
                fmt::format("{}; the same training resumes from {}, or start over", where, path_),
                {setting("restart")});
  }

  TrainingLoop& loop_;
  std::string output_path_;
  std::string path_;
  Checkpoint checkpoint_;
  Stopwatch since_saved_;
};

}  // namespace

std::string checkpointPath(const std::string& output_path) {
  return output_path + ".part";
}

Status checkTraining(const Dataset& dataset, const TrainOptions& options,
                     const RunContext& context) {
  for (const Status& status :
       {options.check(), checkTrainingRole(dataset), prepareCuda(context.device)}) {
    if (!status) {
      return status;
    }
  }
  return {};
}

bool isTrained(const TrainingSet& set, const Dataset& dataset, const TrainOptions& options,
               const std::string& output_path, const RunContext& context) {
  const nlohmann::json settings = settingsOf(dataset, set, options, context);
  const AveragingOptions& averaging = options.averaging;
  std::int64_t cycle = 0;
  return std::ranges::all_of(networkPaths(averaging, output_path), [&](const std::string& path) {
    const std::int64_t epochs =
        averaging.snapshots > 0 ? averaging.cycleBegin(++cycle, options.epochs) : options.epochs;
    return isWrittenBy(path, settings, epochs);
  });
}

Expected<TrainReport> trainOn(const TrainingSet& set, const Dataset& dataset,
                              const TrainOptions& options, const std::string& output_path,
                              RunContext& context, const TrainEvents& events) {
  const Stopwatch watch;
  if (options.augmentation.needsImages() && set.input_shape.size() != 3) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the items are vectors, which cannot be {}; train without {}",
                            dataset.info().spec, options.augmentation.flip ? "mirrored" : "rotated",
                            options.augmentation.flip ? "mirroring" : "rotation"),
                {omitted(options.augmentation.flip ? "flip" : "rotation")});
  }
  const TorchState torch_state(context.threads, context.seed, torchDevice(context.device));
  DropoutDesign dropout = dropoutDesign(options);
  Expected<Module> network =
      buildNetwork(options, set.input_shape, set.classes, torch_state.generator(), dropout);
  if (!network) {
    return failOf(dataset.info().spec, network.error());
  }
  // Autograd records the operators one by one; the executor's own differentiation gains nothing
  // here.
  const torch::jit::GraphOptimizerEnabledGuard plain_execution(false);
  TrainingLoop loop(set, options, *network, dropout.places(), context);
  TrainReport report;
  report.parameter_count = loop.parameterCount();
  report.items = set.size();
  report.unlabelled = set.unlabelled;
  report.unreadable = set.unreadable;
  UnfinishedTraining training(loop, settingsOf(dataset, set, options, context), output_path);
  if (Status resumed = training.resume(options, events, report); !resumed) {
    return failWith(resumed);
  }
  const NetworkWriter networks(
      set, options, *network, output_path,
      [&](Module& written, const std::string& path, const nlohmann::json& further) {
        nlohmann::json metadata = metadataOf(dataset, set, options, report, context, path);
        metadata["training"].update(further);
        auto finished = withLearnedRates(written, options, set, dropout.places());
        return finished ? writeNetwork(*finished, metadata, path) : failWith(finished);
      });
  if (Status done = training.run(options, networks, events, report, context); !done) {
    return failWith(done);
  }
  training.finish();
  report.seconds = watch.seconds();
  return report;
}

Expected<TrainReport> train(const Dataset& dataset, const TrainOptions& options,
                            const std::string& output_path, RunContext& context,
                            const TrainEvents& events) {
  const Stopwatch watch;
  if (Status checked = checkTraining(dataset, options, context); !checked) {
    return failWith(checked);
  }
  // Fails now rather than after minutes of work; the file is removed again at once.
  if (const auto writable = AtomicFile::create(output_path); !writable) {
    return failWith(writable);
  }
  const Expected<TrainingSet> set = readTrainingSet(dataset, context);
  if (!set) {
    return failWith(set);
  }
  auto report = trainOn(*set, dataset, options, output_path, context, events);
  if (report) {
    report->seconds = watch.seconds();
  }
  return report;
}

}  // namespace dubito
