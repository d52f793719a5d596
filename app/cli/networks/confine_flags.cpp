// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/networks/confine_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "app/cli/command.h"
#include "core/data/sources/dataset_files.h"
#include "core/kernels/cuda_library.h"
#include "core/models/hub_files.h"
#include "core/models/model_metadata.h"
#include "core/models/program/network_format.h"

namespace dubito::cli {
namespace {

/// Options whose file may be written, with others in its folder.
constexpr std::array<const char*, 2> kWritten = {"output", "posterior"};

/// The files that an argument names if it is a path or a dataset, and those read with them. Other
/// text names files that do not exist, which changes nothing.
std::vector<std::string> filesNamedBy(const std::string& argument) {
  std::vector<std::string> files = metadataPathsFor(argument);
  files.push_back(argument);
  const std::vector<std::string> weights = weightFilesNextTo(argument);
  files.insert(files.end(), weights.begin(), weights.end());
  const std::vector<std::string> of_hub = hubFilesFor(argument);
  files.insert(files.end(), of_hub.begin(), of_hub.end());
  const std::vector<std::string> of_dataset = datasetPlaces(argument);
  files.insert(files.end(), of_dataset.begin(), of_dataset.end());
  return files;
}

}  // namespace

void ConfineFlags::declare(CLI::App& app) {
  app_ = &app;
  app.add_flag(
      "--confined", confined_,
      "for files of unknown origin: this process can then read only the files named on the "
      "command line, write only into the folders of --output and --posterior, and reach no "
      "network and no other program (Linux 5.13 or later)");
  may_read_flag_ =
      app.add_option("--may-read", may_read_,
                     "with --confined: another file or folder to read, for example the one that "
                     "holds the images of a CSV file (repeatable)")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Confinement ConfineFlags::named() const {
  Confinement confinement{.readable = may_read_, .writable = {}};
  for (const CLI::Option* const option : app_->get_options()) {
    for (const std::string& argument : option->results()) {
      const bool is_written = std::ranges::any_of(
          kWritten, [option](const char* name) { return option->check_lname(name); });
      if (is_written) {
        const auto folder = std::filesystem::path(argument).parent_path();
        confinement.writable.push_back(folder.empty() ? "." : folder.string());
      } else {
        const std::vector<std::string> files = filesNamedBy(argument);
        confinement.readable.insert(confinement.readable.end(), files.begin(), files.end());
      }
    }
  }
  return confinement;
}

Status ConfineFlags::apply(const RunContext& context) const {
  if (!confined_) {
    return may_read_flag_->count() == 0 ? Status()
                                        : usageError("--may-read has no effect without --confined");
  }
  if (context.ranks && context.ranks->size() > 1) {
    return usageError("--confined does not support several processes, which need the network");
  }
  // It opens devices and starts threads of its own.
  if (context.device.isCuda()) {
    static_cast<void>(loadCudaLibrary());
  }
  const auto state = confineProcess(named());
  if (!state) {
    return failWith(state);
  }
  if (const std::string missing = state->missing(); !missing.empty()) {
    fmt::print(stderr, "note: {}\n", missing);
  }
  return {};
}

}  // namespace dubito::cli
