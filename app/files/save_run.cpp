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

/// Files that are written beside their places and take them together: one that fails leaves those
/// that are there as they are.
class NewFiles {
 public:
  NewFiles() = default;
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;
  ~NewFiles() {
    std::error_code ignored;
    for (const auto& [beside, place] : files_) {
      fs::remove(beside, ignored);
    }
  }

  /// Where to write what belongs at `place`.
  std::string beside(const std::string& place) {
    const fs::path path(place);
    files_.emplace_back((path.parent_path() / (".new-" + path.filename().string())).string(),
                        place);
    return files_.back().first;
  }

  /// The error of writing the last one, which names it by its place.
  [[nodiscard]] tl::unexpected<Error> failure(const Status& status) const {
    Error error = status.error();
    const auto& [beside, place] = files_.back();
    if (const std::size_t at = error.message.find(beside); at != std::string::npos) {
      error.message.replace(at, beside.size(), place);
    }
    return tl::unexpected<Error>(std::move(error));
  }

  [[nodiscard]] Status moveToPlaces() {
    while (!files_.empty()) {
      const auto& [beside, place] = files_.back();
      std::error_code code;
      fs::rename(beside, place, code);
      if (code) {
        return fail(ErrorCode::kWriteFailed,
                    fmt::format("{}: cannot be replaced; choose another place", place),
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
  constexpr std::size_t kLongest = 60;
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
  return plain.empty() ? "run" : plain.substr(0, kLongest);
}

Expected<WrittenRuns> saveRun(const Analysis& analysis, const std::string& path,
                              RunContext& context) {
  const auto fitted = analysis.method ? posteriorOf(*analysis.method) : nullptr;
  const std::string posterior = posteriorPathFor(path);
  WrittenRuns written = {{analysis.in().run, path}};
  std::set<std::string> beside;
  for (std::size_t i = 1; i < analysis.parts.size(); ++i) {
    std::string file = oodFileOf(path, analysis.parts[i].name);
    for (int number = 2; !beside.insert(file).second; ++number) {
      file = oodFileOf(path, fmt::format("{}-{}", analysis.parts[i].name, number));
    }
    written.emplace_back(analysis.parts[i].run, file);
  }
  if (fitted) {
    beside.insert(posterior);
  }
  std::error_code ignored;
  // Replacing a run replaces what belongs to it.
  if (!fs::exists(path, ignored)) {
    for (const std::string& file : beside) {
      if (fs::exists(file, ignored)) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{}: exists already, and would be written next to {}; choose "
                                "another name",
                                file, path));
      }
    }
  }
  NewFiles files;
  for (const auto& [run, file] : written) {
    if (Status status = writeRun(*run, files.beside(file), context); !status) {
      return files.failure(status);
    }
  }
  if (fitted) {
    if (Status status =
            writePosterior(fitted->posterior, fitted->origin, files.beside(posterior), context);
        !status) {
      return files.failure(status);
    }
  }
  // The run itself last: what belongs to it is there when it is.
  if (Status moved = files.moveToPlaces(); !moved) {
    return failWith(moved);
  }
  return written;
}

}  // namespace dubito
