// SPDX-License-Identifier: GPL-3.0-or-later
// Times the methods of `predict` on a device within one process, so that the loading of libraries
// does not count, and compares the results with another batch size and with the processor.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/stopwatch.h"
#include "core/base/thread_count.h"
#include "core/methods/ensemble/ensemble.h"
#include "core/methods/method_data.h"
#include "core/models/program/torch_reason.h"
#include "core/network/device_memory.h"
#include "core/predict/predict.h"
#include "core/predict/work_estimate.h"
#include "tests/benchmark/device/run_difference.h"

namespace dubito::benchmarks {
namespace {

struct Arguments {
  std::string model;
  std::string member;
  std::string data;
  std::string few;
  std::string fit;
  std::string device = "cuda";
  std::string output;
  std::int64_t draws = 50;
  std::int64_t batch = 500;
  std::int64_t other_batch = 200;
  int rounds = 3;
  int threads = 0;
};

template <class T>
T valueOf(Expected<T> result) {
  if (!result) {
    throw std::runtime_error(result.error().message);
  }
  return *std::move(result);
}

/// The median of the times of all rounds but the first, which loads kernels.
double medianOfWarm(std::vector<double> seconds) {
  if (seconds.size() > 1) {
    seconds.erase(seconds.begin());
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

class DeviceBenchmark {
 public:
  DeviceBenchmark(const Arguments& arguments, RunContext& context)
      : arguments_(arguments), context_(context) {
    model_ = valueOf(loadModel(arguments.model, {}, context_));
    data_ = valueOf(openDataset(arguments.data, context_));
    few_ = valueOf(openDataset(arguments.few, context_));
  }

  [[nodiscard]] nlohmann::json run() {
    nlohmann::json rows = nlohmann::json::array();
    const auto add = [&rows](const char* name, const std::function<nlohmann::json()>& measure) {
      nlohmann::json row;
      try {
        row = measure();
      } catch (const std::exception& exception) {
        row["error"] = torchReason(exception);
      }
      row["name"] = name;
      fmt::print("{}\n", row.dump());
      std::fflush(stdout);
      rows.push_back(std::move(row));
    };
    add("map", [&] { return timePredictions(MapOptions()); });
    McDropoutOptions dropout;
    dropout.draws = arguments_.draws;
    add("mc-dropout", [&] { return timePredictions(dropout); });
    MethodOptions fitted = LaplaceOptions();
    if (!arguments_.fit.empty()) {
      add("laplace fit", [&] { return timeFit(fitted); });
      add("laplace", [&] { return timePredictions(fitted); });
      auto without_gauge = std::get<LaplaceOptions>(fitted);
      without_gauge.gauge = 0;
      add("laplace, no gauge", [&] { return timePredictions(without_gauge); });
    }
    if (!arguments_.member.empty()) {
      add("ensemble", [&] { return timeEnsemble(); });
    }
    return rows;
  }

 private:
  [[nodiscard]] Run predicted(const Dataset& dataset, const MethodOptions& method,
                              std::int64_t batch) {
    return valueOf(predict(*model_, dataset, method, {.batch = batch}, context_));
  }

  [[nodiscard]] nlohmann::json timed(std::int64_t items, const std::vector<double>& seconds) const {
    const double warm = medianOfWarm(seconds);
    return {{"items", items},
            {"first_seconds", seconds.front()},
            {"seconds", warm},
            {"items_per_s", static_cast<double>(items) / warm},
            {"peak_device_bytes", peakDeviceBytes(context_.device)}};
  }

  nlohmann::json timePredictions(const MethodOptions& method) {
    const auto estimate =
        estimateWork(*model_, {data_}, method, {}, {.batch = arguments_.batch}, context_);
    resetPeakDeviceBytes(context_.device);
    std::vector<double> seconds;
    std::vector<Run> runs;
    for (int round = 0; round < arguments_.rounds; ++round) {
      const Stopwatch watch;
      runs.push_back(predicted(*data_, method, arguments_.batch));
      seconds.push_back(watch.seconds());
    }
    nlohmann::json row = timed(data_->size(), seconds);
    row["stages"] = runs.back().meta.timings;
    row["again"] = differenceOf(runs.back(), runs.front());
    row["other_batch"] =
        differenceOf(predicted(*data_, method, arguments_.other_batch), runs.front());
    if (estimate) {
      row["estimated_device_bytes"] = estimate->peak_device_bytes;
    }
    row["notes"] = textsOf(runs.back().meta.notes);
    const Run here = predicted(*few_, method, arguments_.batch);
    const Device device = std::exchange(context_.device, Device());
    row["processor"] = differenceOf(here, predicted(*few_, method, arguments_.batch));
    context_.device = device;
    return row;
  }

  nlohmann::json timeFit(MethodOptions& fitted) {
    MethodData data;
    data.fit = valueOf(openDataset(arguments_.fit, context_));
    resetPeakDeviceBytes(context_.device);
    std::vector<double> seconds;
    for (int round = 0; round < arguments_.rounds; ++round) {
      const Stopwatch watch;
      fitted = valueOf(
          prepareMethod(*model_, LaplaceOptions(), data, {.batch = arguments_.batch}, context_));
      seconds.push_back(watch.seconds());
    }
    return timed(data.fit->size(), seconds);
  }

  /// As `predict --method ensemble` does it: the members in turn, then their mean.
  nlohmann::json timeEnsemble() {
    const ModelPtr other = valueOf(loadModel(arguments_.member, {}, context_));
    resetPeakDeviceBytes(context_.device);
    std::vector<double> seconds;
    for (int round = 0; round < arguments_.rounds; ++round) {
      const Stopwatch watch;
      std::vector<EnsembleMember> members;
      for (const ModelPtr& model : {model_, other}) {
        members.push_back({model->path(), valueOf(predict(*model, *data_, MapOptions(),
                                                          {.batch = arguments_.batch}, context_))});
      }
      static_cast<void>(valueOf(ensembleRun(members, {}, context_)));
      seconds.push_back(watch.seconds());
    }
    return timed(data_->size(), seconds);
  }

  const Arguments& arguments_;
  RunContext& context_;
  ModelPtr model_;
  DatasetPtr data_;
  DatasetPtr few_;
};

int measureAll(const Arguments& arguments) {
  RunContext context;
  context.device = valueOf(parseDevice(arguments.device));
  context.seed = 1;
  context.threads = threadCount(arguments.threads);
  const nlohmann::json report{
      {"device", arguments.device}, {"threads", context.threads},
      {"batch", arguments.batch},   {"other_batch", arguments.other_batch},
      {"draws", arguments.draws},   {"rows", DeviceBenchmark(arguments, context).run()}};
  std::ofstream file(arguments.output);
  file << report.dump(1) << '\n';
  if (!file) {
    throw std::runtime_error(arguments.output + ": cannot be written");
  }
  const bool all_ran = std::ranges::none_of(
      report["rows"], [](const nlohmann::json& row) { return row.contains("error"); });
  return all_ran ? 0 : 1;
}

}  // namespace
}  // namespace dubito::benchmarks

int main(int argc, char** argv) {
  CLI::App app("Times the methods of `predict` on a device and compares their results");
  dubito::benchmarks::Arguments arguments;
  app.add_option("model", arguments.model, "TorchScript file")->required();
  app.add_option("data", arguments.data, "items to predict")->required();
  app.add_option("few", arguments.few, "a few items, predicted on the processor as well")
      ->required();
  app.add_option("-o,--output", arguments.output, "JSON file to write")->required();
  app.add_option("--member", arguments.member, "second member of an ensemble; empty: none");
  app.add_option("--fit", arguments.fit, "items that Laplace is fitted on; empty: no Laplace");
  app.add_option("--device", arguments.device)->capture_default_str();
  app.add_option("--draws", arguments.draws)->capture_default_str();
  app.add_option("--batch", arguments.batch)->capture_default_str();
  app.add_option("--other-batch", arguments.other_batch)->capture_default_str();
  app.add_option("--rounds", arguments.rounds)->capture_default_str();
  app.add_option("--threads", arguments.threads, "0: all cores")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return dubito::benchmarks::measureAll(arguments);
  } catch (const std::exception& exception) {
    fmt::print(stderr, "{}\n", exception.what());
    return 1;
  }
}
