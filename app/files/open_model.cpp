// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/open_model.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "app/jobs/child_process.h"

namespace dubito {
namespace {

Status openConfined(const std::string& path, const ModelOpening& opening, RunContext& context) {
  if (access(opening.program.c_str(), X_OK) != 0) {
    return fail(
        ErrorCode::kNotFound,
        fmt::format("{}: not opened, because files of unknown origin are first opened by {}, "
                    "which cannot be started; install it next to dubito",
                    path, opening.program));
  }
  const ChildCommand command{
      .arguments = {opening.program, "inspect", path, "--confined", "--progress=json",
                    fmt::format("--threads={}", context.threads)},
      .name = "Opening in a confined process",
      .main_stage = "auditing"};
  return runChild(command, *opening.reaper, context);
}

}  // namespace

std::string modelKey(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path place = fs::canonical(path, error);
  const auto size = error ? 0 : fs::file_size(place, error);
  const auto time = error ? fs::file_time_type() : fs::last_write_time(place, error);
  return error ? std::string()
               : fmt::format("{} {} {}", size, time.time_since_epoch().count(), place.string());
}

Expected<ModelPtr> openModel(const std::string& path, const ModelOpening& opening,
                             RunContext& context) {
  if (!opening.program.empty() && !opening.known.contains(modelKey(path))) {
    if (Status opened = openConfined(path, opening, context); !opened) {
      return failWith(opened);
    }
  }
  LoadModelOptions loading;
  loading.shares_torch = opening.shares_torch;
  return loadModel(path, loading, context);
}

}  // namespace dubito
