// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/save_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "core/io/run_file.h"
#include "core/laplace/posterior/posterior_file.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

std::string oodFileOf(const std::string& path, const std::string& name) {
  const fs::path file(path);
  return (file.parent_path() /
          fmt::format("{}-ood-{}.npz", file.stem().string(), plainFileName(name)))
      .string();
}

/// Files written next to their destinations and moved there together at the end, so that an error
/// leaves existing files unchanged.
class StagedFiles {
 public:
  StagedFiles() = default;
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;
  ~StagedFiles() {
    std::error_code ignored;
    for (const auto& [staged, destination] : files_) {
      fs::remove(staged, ignored);
    }
  }

  /// The temporary path to write for `destination`.
  std::string stage(const std::string& destination) {
    const fs::path path(destination);
    files_.emplace_back((path.parent_path() / (".new-" + path.filename().string())).string(),
                        destination);
    return files_.back().first;
  }

  /// The error of writing the last file, with its destination instead of the temporary path.
  [[nodiscard]] tl::unexpected<Error> failure(const Status& status) const {
    Error error = status.error();
    const auto& [staged, destination] = files_.back();
    if (const std::size_t at = error.message.find(staged); at != std::string::npos) {
      error.message.replace(at, staged.size(), destination);
    }
    return tl::unexpected<Error>(std::move(error));
  }

  [[nodiscard]] Status commit() {
    while (!files_.empty()) {
      const auto& [staged, destination] = files_.back();
      std::error_code code;
      fs::rename(staged, destination, code);
      if (code) {
        return fail(ErrorCode::kWriteFailed,
                    fmt::format("{}: cannot be replaced; choose another location", destination),
                    code.message());
      }
      files_.pop_back();
    }
    return {};
  }

 private:
  std::vector<std::pair<std::string, std::string>> files_;
};

}  // namespace

std::string plainFileName(const std::string& name) {
  constexpr std::size_t kMaxLength = 60;
  std::string plain;
  for (const char letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    } else if (!plain.empty() && plain.back() != '-') {
      plain += '-';
    }
  }
  while (plain.ends_with('-')) {
    plain.pop_back();
  }
  return plain.empty() ? "run" : plain.substr(0, kMaxLength);
}

Expected<WrittenRuns> saveRun(const Analysis& analysis, const std::string& path,
                              RunContext& context) {
  const auto fitted = analysis.method ? posteriorOf(*analysis.method) : nullptr;
  const std::string posterior = posteriorPathFor(path);
  WrittenRuns written = {{analysis.in().run, path}};
  std::set<std::string> companions;
  for (std::size_t i = 1; i < analysis.parts.size(); ++i) {
    std::string file = oodFileOf(path, analysis.parts[i].name);
    for (int number = 2; !companions.insert(file).second; ++number) {
      file = oodFileOf(path, fmt::format("{}-{}", analysis.parts[i].name, number));
    }
    written.emplace_back(analysis.parts[i].run, file);
  }
  if (fitted) {
    companions.insert(posterior);
  }
  std::error_code ignored;
  // Replacing a run also replaces its companions.
  if (!fs::exists(path, ignored)) {
    for (const std::string& file : companions) {
      if (fs::exists(file, ignored)) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{}: already exists and would be overwritten together with {}; "
                                "choose another name",
                                file, path));
      }
    }
  }
  StagedFiles files;
  for (const auto& [run, file] : written) {
    if (Status status = writeRun(*run, files.stage(file), context); !status) {
      return files.failure(status);
    }
  }
  if (fitted) {
    if (Status status =
            writePosterior(fitted->posterior, fitted->origin, files.stage(posterior), context);
        !status) {
      return files.failure(status);
    }
  }
  // The run itself is moved last, so that it never exists without its companions.
  if (Status moved = files.commit(); !moved) {
    return failWith(moved);
  }
  return written;
}

}  // namespace dubito
