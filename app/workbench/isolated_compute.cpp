// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/isolated_compute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>

#include "app/jobs/child_process.h"
#include "app/workbench/whole_progress.h"
#include "core/base/option_flags.h"
#include "core/data/items/item_files.h"
#include "core/data/sources/dataset_files.h"
#include "core/io/run_file.h"
#include "core/methods/method_of_run.h"
#include "core/models/network_hash.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// A temporary folder, removed with its contents.
class TempFolder {
 public:
  explicit TempFolder(std::string path) : path_(std::move(path)) {}
  ~TempFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const {
    return (fs::path(path_) / name).string();
  }

 private:
  std::string path_;
};

Expected<std::shared_ptr<const TempFolder>> makeTempFolder() {
  std::error_code error;
  const fs::path where = fs::temp_directory_path(error);
  std::string path = ((error ? fs::path("/tmp") : where) / "dubito-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) {
    return fail(ErrorCode::kWriteFailed,
                fmt::format("{}: cannot be created ({}); set TMPDIR to a folder with free space",
                            path, std::strerror(errno)));
  }
  return std::make_shared<const TempFolder>(path);
}

std::string unsuitable(const std::string& name, const DatasetPtr& dataset) {
  return dataset && dataset->info().spec.empty()
             ? fmt::format("{} exists only in memory; another process cannot read it", name)
             : std::string();
}

/// Folders of item files that the specification does not name: a table may list files anywhere. The
/// confined process must be told of them.
std::set<std::string> foldersElsewhere(const Dataset& dataset) {
  const std::vector<std::string> named = datasetPlaces(dataset.info().spec);
  std::set<std::string> folders;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    const std::string file = itemFile(dataset, i);
    const bool is_named = std::ranges::any_of(named, [&file](const std::string& top) {
      return file.starts_with(top) && (file.size() == top.size() || file[top.size()] == '/');
    });
    if (!file.empty() && !is_named) {
      folders.insert(fs::path(file).parent_path().string());
    }
  }
  return folders;
}

}  // namespace

std::string cliProgram() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return (program.parent_path() / "dubito-cli").string();
}

std::string whyNotIsolated(const ComputeRequest& request) {
  if (request.model->path().empty()) {
    return "The model exists only in memory; another process cannot read it";
  }
  if (request.data.calibration_run.run) {
    return "The calibration run exists only in memory; another process cannot read it";
  }
  std::vector<NamedDataset> datasets = request.ood;
  datasets.push_back(request.in);
  datasets.push_back({"The training set", request.data.fit});
  datasets.push_back({"The calibration set", request.data.calibration});
  for (const NamedDataset& named : datasets) {
    if (std::string reason = unsuitable(named.name, named.dataset); !reason.empty()) {
      return reason;
    }
  }
  return {};
}

std::vector<std::string> predictArguments(const ComputeRequest& request, const Dataset& dataset,
                                          const std::string& output, const std::string& posterior,
                                          const RunContext& context) {
  MethodOptions method = request.method;
  MethodOptions method_defaults = describe(method).defaults;
  PredictOptions predict = request.predict;
  PredictOptions predict_defaults;
  std::vector<std::string> arguments = {"predict",
                                        request.model->path(),
                                        dataset.info().spec,
                                        "--output=" + output,
                                        "--method=" + methodName(method),
                                        "--device=" + toString(context.device),
                                        fmt::format("--threads={}", context.threads),
                                        fmt::format("--seed={}", context.seed),
                                        "--progress=json",
                                        "--confined"};
  const auto add = [&arguments](const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  for (const Dataset* const read :
       {&dataset, request.data.fit.get(), request.data.calibration.get()}) {
    for (const std::string& folder : read ? foldersElsewhere(*read) : std::set<std::string>()) {
      arguments.push_back("--may-read=" + folder);
    }
  }
  add(flagsOfFields(methodFields(method), methodFields(method_defaults)));
  if (dubito::drawsOf(method) == 0) {
    predict.keep_samples_mb = predict_defaults.keep_samples_mb;  // has no effect and is refused
  }
  add(flagsOfFields(predict.fields(), predict_defaults.fields()));
  MemoryOptions memory = request.memory;
  MemoryOptions memory_defaults;
  add(flagsOfFields(memory.fields(), memory_defaults.fields()));
  const MethodNeeds used = inputsUsedBy(method);
  const MethodData& data = request.data;
  if (used.fit && data.fit) {
    add({"--fit=" + data.fit->info().spec});
  }
  if (used.calibration && data.calibration) {
    add({"--calibration=" + data.calibration->info().spec});
  }
  const std::string& kept = data.posterior_path.empty() ? posterior : data.posterior_path;
  if (used.posterior && !kept.empty()) {
    add({"--posterior=" + kept});
  }
  if (data.allow_same_split && (used.fit || used.calibration)) {
    add({"--allow-same-split"});
  }
  return arguments;
}

Expected<AnalysisPtr> computeIsolated(const ComputeRequest& request, const std::string& program,
                                      ChildReaper& reaper, RunContext& context) {
  if (const std::string reason = whyNotIsolated(request); !reason.empty()) {
    return fail(ErrorCode::kInvalidArgument, reason + "; switch off 'Run in a separate process'");
  }
  const auto folder = makeTempFolder();
  if (!folder) {
    return failWith(folder);
  }
  // One fit serves all datasets, and later the window.
  const std::string posterior = (*folder)->file("posterior.npz");
  const std::string network = networkHash(*request.model);
  WholeProgress progress(context, networkItemCount(request));
  Expected<std::vector<AnalysisPart>> parts = predictParts(
      request,
      [&](const NamedDataset& named, std::size_t number) -> Expected<Run> {
        const std::string output = (*folder)->file(fmt::format("run-{}.npz", number));
        ChildCommand command{{program}, named.name, "predicting", *folder};
        const std::vector<std::string> arguments =
            predictArguments(request, *named.dataset, output, posterior, context);
        command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
        // The first child also fits.
        std::vector<std::int64_t> sizes =
            number == 0 ? fitSizes(request) : std::vector<std::int64_t>();
        sizes.push_back(named.dataset->size());
        RunContext part_context = progress.stage(named.name, sizes);
        if (Status ended = runChild(command, reaper, part_context); !ended) {
          return failWith(ended);
        }
        Expected<Run> run = readRun(output, part_context);
        // The child read the file again; its results must belong to the open model.
        if (run && run->meta.network_hash != network) {
          return fail(ErrorCode::kInvalidArgument,
                      fmt::format("{}: changed since it was opened; open it again, then compute",
                                  request.model->path()));
        }
        return run;
      },
      context);
  if (!parts) {
    return failWith(parts);
  }
  const std::string& given = request.data.posterior_path;
  const std::optional<MethodOptions> method =
      methodOfRun(parts->front().run->meta, *request.model, given.empty() ? posterior : given);
  RunContext last_context = progress.stage("Evaluating", {});
  return analyse(std::move(*parts), request.model, method, request.evaluation, last_context);
}

}  // namespace dubito
