// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/cifar10_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "core/base/regular_file.h"
#include "core/data/sources/numbered_dataset.h"
#include "core/io/csv.h"
#include "core/io/mapped_file.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kCifarSide = 32;
constexpr std::int64_t kPixels = kCifarSide * kCifarSide;
constexpr std::int64_t kRecord = 1 + 3 * kPixels;  // the label, then red, green and blue planes
constexpr std::int64_t kClasses = 10;

/// One file of records; pages are loaded when accessed.
struct BatchFile {
  std::string path;
  std::shared_ptr<const MappedFile> file;
  std::int64_t first_row = 0;

  [[nodiscard]] std::int64_t rows() const {
    return static_cast<std::int64_t>(file->bytes().size()) / kRecord;
  }
  [[nodiscard]] const std::uint8_t* record(std::int64_t row) const {
    return reinterpret_cast<const std::uint8_t*>(file->bytes().data()) + row * kRecord;
  }
};

/// The records of several files, concatenated.
class Cifar10Dataset : public NumberedDataset {
 public:
  Cifar10Dataset(DatasetInfo info, std::vector<BatchFile> files, std::vector<std::int64_t> labels)
      : NumberedDataset(std::move(info), std::move(labels)), files_(std::move(files)) {}

  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    const BatchFile& file = *std::prev(std::upper_bound(
        files_.begin(), files_.end(), index,
        [](std::int64_t wanted, const BatchFile& other) { return wanted < other.first_row; }));
    const std::uint8_t* const planes = file.record(index - file.first_row) + 1;
    auto pixels = Array<std::uint8_t>::zeros({kCifarSide, kCifarSide, 3});
    std::uint8_t* out = pixels.mutableData();
    for (std::int64_t pixel = 0; pixel < kPixels; ++pixel) {
      for (std::int64_t channel = 0; channel < 3; ++channel) {
        *out++ = planes[channel * kPixels + pixel];
      }
    }
    if (const Status status = file.file->unchanged(); !status) {
      return failWith(status);
    }
    return Sample(Image8{std::move(pixels)});
  }

 private:
  std::vector<BatchFile> files_;
};

Expected<BatchFile> openBatch(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  const ByteSpan bytes = (*file)->bytes();
  const auto size = static_cast<std::int64_t>(bytes.size());
  constexpr std::byte kPickle{0x80};
  if (size > 0 && size % kRecord != 0 && bytes.front() == kPickle) {
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: this is the Python version of CIFAR-10 (a pickle), which runs code "
                    "when it is opened; download the binary version "
                    "(cifar-10-binary.tar.gz), or save the arrays with numpy.savez",
                    path));
  }
  if (size == 0 || size % kRecord != 0) {
    const bool cifar100 = size > 0 && size % (kRecord + 1) == 0;
    return fail(
        ErrorCode::kMalformed,
        cifar100
            ? fmt::format("{}: its {} bytes are records of {} bytes, the CIFAR-100 format; only "
                          "CIFAR-10 is supported, so convert it to npz",
                          path, size, kRecord + 1)
            : fmt::format(
                  "{}: its {} bytes are not a multiple of the record size {}; fetch the file again",
                  path, size, kRecord));
  }
  return BatchFile{path, std::move(*file), 0};
}

/// The lines of batches.meta.txt in the folder of `batch`; empty if it is missing.
std::vector<std::string> readClassNames(const std::string& batch) {
  std::vector<std::string> names;
  const fs::path path = fs::path(batch).parent_path() / "batches.meta.txt";
  if (!checkRegularFile(path.string())) {
    return names;
  }
  std::ifstream file(path);
  constexpr std::size_t kMaxNames = 1000;
  for (std::string line; names.size() < kMaxNames && std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') {
      line.pop_back();
    }
    if (const std::string_view name = trimmed(line); !name.empty()) {
      names.emplace_back(name);
    }
  }
  return names;
}

std::string nameOf(const std::vector<BatchFile>& files) {
  const fs::path first(files.front().path);
  const std::string folder = first.parent_path().filename().string();
  const std::string name =
      files.size() == 1 ? first.stem().string() : fmt::format("{} batches", files.size());
  return folder.empty() ? name : fmt::format("{} {}", folder, name);
}

/// data_batch_1.bin, test_batch.bin and similar, with complete records.
bool isBatch(const fs::path& path) {
  const std::string name = path.filename().string();
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return !error && size > 0 && size % kRecord == 0 && name.ends_with(".bin") &&
         (name.starts_with("data_batch") || name.starts_with("test_batch"));
}

/// The paths of "FILE,FILE". A path may contain commas, so a piece that is not a file is joined
/// with the next one.
std::vector<std::string> filesOfCifar10(const std::string& location) {
  std::vector<std::string> paths;
  std::string path;
  for (std::size_t at = 0; at <= location.size();) {
    const std::size_t comma = std::min(location.find(',', at), location.size());
    path += location.substr(at, comma - at);
    at = comma + 1;
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored) || at > location.size()) {
      paths.push_back(std::exchange(path, {}));
    } else {
      path += ',';
    }
  }
  return paths;
}

/// Number of items in a batch file, computed from its size; absent if the file is missing.
std::optional<std::int64_t> recordsOfCifar10(const std::string& path) {
  std::error_code error;
  const auto bytes = fs::file_size(path, error);
  return error ? std::nullopt : std::optional(static_cast<std::int64_t>(bytes) / kRecord);
}

Expected<DatasetPtr> openCifar10(const DatasetSpec& spec, RunContext& context) {
  std::vector<BatchFile> files;
  std::vector<std::int64_t> labels;
  for (const std::string& path : filesOfCifar10(spec.location)) {
    if (context.step("read", static_cast<std::int64_t>(files.size()), 0) == Step::kCancel) {
      return cancelled();
    }
    Expected<BatchFile> file = openBatch(path);
    if (!file) {
      return failWith(file);
    }
    file->first_row = static_cast<std::int64_t>(labels.size());
    for (std::int64_t row = 0; row < file->rows(); ++row) {
      labels.push_back(*file->record(row));
      if (labels.back() >= kClasses) {
        return fail(ErrorCode::kMalformed,
                    fmt::format("{}: record {} has the label {}, but there are {} classes; this is "
                                "not a CIFAR-10 batch",
                                path, row, labels.back(), kClasses));
      }
    }
    files.push_back(std::move(*file));
  }
  DatasetInfo info;
  info.name = nameOf(files);
  info.spec = toString(spec);
  info.class_names = readClassNames(files.front().path);
  if (info.class_names.empty()) {
    info.notes.push_back(fmt::format(
        "{}: there is no batches.meta.txt next to it; the classes have no names", files[0].path));
  } else if (const std::int64_t largest = *std::max_element(labels.begin(), labels.end());
             largest >= static_cast<std::int64_t>(info.class_names.size())) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: the batches.meta.txt next to it names {} classes, but the label "
                            "{} occurs; fix or remove that file",
                            files[0].path, info.class_names.size(), largest));
  }
  return std::make_shared<const Cifar10Dataset>(std::move(info), std::move(files),
                                                std::move(labels));
}

class Cifar10Kind : public DatasetKind {
 public:
  [[nodiscard]] std::string scheme() const override { return "cifar10"; }
  [[nodiscard]] std::string location() const override { return "FILE[,FILE...]"; }
  [[nodiscard]] std::string label() const override { return "CIFAR-10 batches"; }
  [[nodiscard]] std::vector<DatasetExample> examples() const override {
    return {{"cifar10:FILE,FILE", "CIFAR-10's binary batches"}};
  }
  [[nodiscard]] std::vector<DatasetOption> options() const override { return {}; }
  [[nodiscard]] std::vector<std::string> patterns() const override { return {"*_batch*.bin"}; }
  [[nodiscard]] bool claimsName(const std::string& name) const override {
    return name.ends_with(".bin") && name.find("_batch") != std::string::npos;
  }
  [[nodiscard]] Expected<MatchConfidence> recognise(const PathToRecognise& path) const override {
    return !path.is_folder && isBatch(path.path) ? MatchConfidence::kCertain
                                                 : MatchConfidence::kNone;
  }
  [[nodiscard]] std::vector<std::string> files(const std::string& location) const override {
    return filesOfCifar10(location);
  }
  [[nodiscard]] std::vector<SourcePart> parts(const DatasetSpec& spec) const override {
    std::vector<SourcePart> parts;
    std::int64_t first_id = 0;
    for (const std::string& path : filesOfCifar10(spec.location)) {
      const auto items = recordsOfCifar10(path);
      if (!items) {
        // If a list cannot be split, the rest of it is one part.
        parts.push_back({canonicalPath(path), first_id});
        break;
      }
      parts.push_back({canonicalPath(path), first_id, *items});
      first_id += *items;
    }
    return parts;
  }
  [[nodiscard]] Expected<DatasetPtr> open(const DatasetSpec& spec,
                                          RunContext& context) const override {
    return openCifar10(spec, context);
  }
};

}  // namespace

std::shared_ptr<const DatasetKind> cifar10Kind() {
  static const auto kind = std::make_shared<const Cifar10Kind>();
  return kind;
}

}  // namespace dubito
