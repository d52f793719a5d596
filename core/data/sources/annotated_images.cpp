// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/annotated_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/lower_case.h"
#include "core/data/sources/file_fingerprint.h"
#include "core/data/sources/folder_scan.h"
#include "core/review/formats/image_url.h"
#include "core/review/formats/label_format.h"
#include "core/review/formats/match_rows.h"
#include "core/review/formats/opinions.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxLabelFile = std::uintmax_t{1} << 30;

Status checkSize(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = fs::is_directory(path, error) ? 0 : fs::file_size(path, error);
  if (!error && bytes > kMaxLabelFile) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: has {} bytes, but label files may have {}; export the labels in "
                            "parts",
                            path, bytes, kMaxLabelFile));
  }
  return {};
}

std::string folderOf(const std::string& label_path) {
  std::error_code ignored;
  if (fs::is_directory(label_path, ignored)) {
    return label_path;
  }
  const std::string folder = fs::path(label_path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool isSameFolder(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

/// The classes that are not merged into others, numbered in the order of their ids.
class ClassNumbers {
 public:
  explicit ClassNumbers(const LabelTable& table) : names_(table.classes) {
    std::vector<const LabelClass*> classes;
    for (const LabelClass& each : table.classes) {
      if (names_.merged(each.id) == each.id) {
        classes.push_back(&each);
      }
    }
    std::ranges::sort(classes, {}, &LabelClass::id);
    for (const LabelClass* const each : classes) {
      numbers_.emplace(each->id, static_cast<std::int64_t>(numbers_.size()));
      texts_.push_back(each->name);
    }
  }

  [[nodiscard]] std::int64_t of(std::int64_t id) const { return numbers_.at(names_.merged(id)); }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

  /// `probs` by class id as probabilities of the numbered classes; empty if an entry is not a
  /// number, belongs to no class, or no class has a probability.
  [[nodiscard]] std::vector<float> ofIds(const std::vector<float>& probs) const {
    std::vector<float> result(texts_.size(), 0.0F);
    double sum = 0.0;
    for (std::size_t k = 0; k < probs.size(); ++k) {
      const auto id = static_cast<std::int64_t>(k);
      if (!std::isfinite(probs[k]) || probs[k] < 0.0F || !names_.contains(id)) {
        return {};
      }
      result[static_cast<std::size_t>(of(id))] += probs[k];
      sum += static_cast<double>(probs[k]);
    }
    return sum > 0.0 ? result : std::vector<float>();
  }

 private:
  ClassNames names_;
  std::unordered_map<std::int64_t, std::int64_t> numbers_;
  std::vector<std::string> texts_;
};

/// Whether two paths can mean one file: the same, or one is the end of the other.
bool canBeSame(std::string_view a, std::string_view b) {
  const std::string_view& longer = a.size() < b.size() ? b : a;
  const std::string_view& shorter = a.size() < b.size() ? a : b;
  return longer == shorter ||
         (longer.ends_with(shorter) && longer[longer.size() - shorter.size() - 1] == '/');
}

/// plainImagePath() without folders that lead up and with the ending in lower case.
std::string comparable(const std::string& reference) {
  fs::path path = fs::path(plainImagePath(reference)).lexically_normal().relative_path();
  std::string text = path.replace_extension(lowerCaseEnding(path)).generic_string();
  while (text.starts_with("../")) {
    text.erase(0, 3);
  }
  return text;
}

/// Matches the labels of one file with the images of one folder.
class AnnotationReader {
 public:
  AnnotationReader(LabelImport import, FolderScan scan, std::vector<std::int64_t> ids,
                   AnnotatedImages& result)
      : table_(std::move(import.table)), classes_(table_), result_(result) {
    result_.paths = std::move(scan.images);
    result_.ids = std::move(ids);
    result_.notes = std::move(import.notes);
  }

  /// Leaves out rows that are not the label of an item or have no class.
  void chooseRows(bool images_are_labels) {
    std::vector<std::string> without_class;
    std::erase_if(table_.rows, [&](const LabelRow& row) {
      if (row.present && !row.class_id) {
        without_class.push_back(itemText(row));
      }
      return !row.present || !row.class_id;
    });
    if (images_are_labels) {
      for (LabelRow& row : table_.rows) {
        row.path = row.second_path.empty() ? row.path : std::exchange(row.second_path, {});
      }
    }
    addNote(result_.notes, "decisions without a class, left out", std::move(without_class));
  }

  Status match(RunContext& context) {
    RowMatches matches = matchRows(table_, result_.ids, result_.paths);
    result_.ambiguous = std::move(matches.ambiguous);
    const std::set<std::string> ambiguous(result_.ambiguous.begin(), result_.ambiguous.end());
    std::unordered_map<std::int64_t, std::size_t> image_of_id;
    for (std::size_t i = 0; i < result_.ids.size(); ++i) {
      image_of_id.emplace(result_.ids[i], i);
    }
    rows_of_.resize(result_.paths.size());
    std::vector<std::size_t> unmatched;
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      if (matches.items[i]) {
        rows_of_[image_of_id.at(*matches.items[i])].push_back(i);
      } else if (!ambiguous.contains(itemText(table_.rows[i]))) {
        unmatched.push_back(i);
      }
    }
    for (std::size_t image = 0; image < rows_of_.size(); ++image) {
      checkPaths(image, unmatched);
    }
    return matchByHash(std::move(unmatched), context);
  }

  /// Keeps the labelled images only.
  void finish() {
    AnnotatedImages all = std::move(result_);
    result_ = AnnotatedImages();
    result_.label_path = std::move(all.label_path);
    result_.format = std::move(all.format);
    result_.folder = std::move(all.folder);
    result_.not_found = std::move(all.not_found);
    result_.ambiguous = std::move(all.ambiguous);
    result_.notes = std::move(all.notes);
    result_.class_names = classes_.texts();
    std::vector<std::string> unlabelled;
    for (std::size_t image = 0; image < all.paths.size(); ++image) {
      if (rows_of_[image].empty()) {
        unlabelled.push_back(std::move(all.paths[image]));
        continue;
      }
      result_.rows.push_back(labelOf(all.paths[image], rows_of_[image]));
      result_.paths.push_back(std::move(all.paths[image]));
      result_.ids.push_back(all.ids[image]);
    }
    addNote(result_.notes, "labels whose image was not found", result_.not_found);
    addNote(result_.notes, "labels that fit several images, not used", result_.ambiguous);
    addNote(result_.notes, "images without a label, left out", std::move(unlabelled));
    addNote(result_.notes, "images with several rows of the same label, counted once",
            std::move(repeated_));
    weighed_.addNotes(result_.notes);
    addNote(result_.notes, "images with scores of several classes; the highest counts",
            std::move(scored_));
  }

 private:
  /// Removes rows that belong to `image` only by file name: those next to rows that fit its path
  /// are of images that are not there; rows of different paths could each be it.
  void checkPaths(std::size_t image, std::vector<std::size_t>& unmatched) {
    std::vector<std::size_t>& rows = rows_of_[image];
    if (rows.size() < 2) {
      return;
    }
    const std::string path = comparable(result_.paths[image]);
    std::vector<std::size_t> fitting;
    std::vector<std::size_t> others;
    for (const std::size_t i : rows) {
      const LabelRow& row = table_.rows[i];
      const bool fits = row.item == result_.ids[image] || canBeSame(comparable(row.path), path) ||
                        (!row.second_path.empty() && canBeSame(comparable(row.second_path), path));
      (fits ? fitting : others).push_back(i);
    }
    if (!fitting.empty()) {
      unmatched.insert(unmatched.end(), others.begin(), others.end());
      rows = std::move(fitting);
      return;
    }
    const std::string first = comparable(table_.rows[others.front()].path);
    const bool differ = std::ranges::any_of(
        others, [&](std::size_t i) { return !canBeSame(first, comparable(table_.rows[i].path)); });
    if (differ) {
      for (const std::size_t i : others) {
        result_.ambiguous.push_back(itemText(table_.rows[i]));
      }
      rows.clear();
    }
  }

  /// Finds rows with the hash of a file among the images that have no label yet.
  Status matchByHash(std::vector<std::size_t> rows, RunContext& context) {
    std::vector<std::string> hashes;
    for (const std::size_t i : rows) {
      hashes.push_back(table_.rows[i].content_hash);
    }
    const auto hash_of = [&](std::size_t image) {
      const auto print =
          rows_of_[image].empty()
              ? fingerprintOf((fs::path(result_.folder) / result_.paths[image]).string(), context)
              : Expected<FileFingerprint>(FileFingerprint());
      return print && !print->hash.empty() ? std::string(kFileHash) + print->hash : std::string();
    };
    const auto found = findByHash(hashes, result_.paths.size(), hash_of, context);
    if (!found) {
      return failWith(found);
    }
    std::set<std::string> missing;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      std::string text = itemText(table_.rows[rows[k]]);
      if (found->files[k]) {
        rows_of_[*found->files[k]].push_back(rows[k]);
      } else if (missing.insert(text).second) {
        (found->several[k] ? result_.ambiguous : result_.not_found).push_back(std::move(text));
      }
    }
    return {};
  }

  /// The label of an image from its rows.
  LabelRow labelOf(const std::string& path, const std::vector<std::size_t>& rows) {
    std::set<std::int64_t> classes;
    // Scores of several classes by one network, unlike opinions.
    bool all_scored = true;
    for (const std::size_t i : rows) {
      const LabelRow& row = table_.rows[i];
      classes.insert(classes_.of(*row.class_id));
      all_scored = all_scored && row.probability && row.probs.empty() && row.annotator.empty();
    }
    std::size_t chosen = rows.front();
    if (rows.size() > 1 && classes.size() == 1) {
      repeated_.push_back(path);
    } else if (classes.size() > 1 && all_scored) {
      scored_.push_back(path);
      chosen = *std::ranges::max_element(
          rows, {}, [&](std::size_t i) { return *table_.rows[i].probability; });
    } else if (classes.size() > 1) {
      const WeighedLabels weighed = weighLabels(table_, rows);
      weighed_.add(weighed, path, table_, rows);
      chosen = weighed.counts;
    }
    LabelRow row = table_.rows[chosen];
    row.probs = row.probs.empty() ? std::vector<float>() : classes_.ofIds(row.probs);
    if (classes.size() > 1 && all_scored && classes.size() == classes_.texts().size()) {
      row.probs.assign(classes.size(), 0.0F);
      for (const std::size_t i : rows) {
        row.probs[static_cast<std::size_t>(classes_.of(*table_.rows[i].class_id))] =
            *table_.rows[i].probability;
      }
    }
    row.class_id = classes_.of(*row.class_id);
    return row;
  }

  LabelTable table_;
  ClassNumbers classes_;
  AnnotatedImages& result_;
  std::vector<std::vector<std::size_t>> rows_of_;  ///< rows of each image
  std::vector<std::string> repeated_, scored_;
  WeighedItems weighed_;
};

tl::unexpected<Error> noImages(const AnnotatedImages& images, std::size_t scanned) {
  std::string reason = fmt::format("there is no image in {}", images.folder);
  if (scanned > 0 && !images.not_found.empty()) {
    reason = fmt::format("none of its images is among the {} in {}, the first would be {}", scanned,
                         images.folder, inQuotes(images.not_found.front()));
  } else if (scanned > 0) {
    reason = fmt::format("none of its labels belongs to one of the {} images in {}", scanned,
                         images.folder);
  }
  Error error{
      .code = ErrorCode::kNotFound,
      .message = fmt::format("{}: {}; give the folder of its images", images.label_path, reason)};
  error.remedy.needs_images = true;
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace

Expected<AnnotatedImages> readAnnotatedImages(const AnnotationSource& source, RunContext& context) {
  const auto recognised = recogniseLabels(source.labels, source.format, context);
  if (!recognised) {
    return failWith(recognised);
  }
  if (Status size = checkSize(recognised->path); !size) {
    return failWith(size);
  }
  auto import =
      importLabels(*recognised->format, recognised->path, {.field = source.field}, context);
  if (!import) {
    return failWith(import);
  }
  AnnotatedImages result;
  result.label_path = recognised->path;
  result.format = recognised->format->key;
  const std::string label_folder = folderOf(recognised->path);
  result.folder = source.images.empty() ? label_folder : source.images;
  auto scan = scanFolder(result.folder, context);
  if (!scan) {
    return failWith(scan);
  }
  const std::size_t scanned = scan->images.size();
  auto ids = pathIds(result.folder, scan->images);
  if (!ids) {
    return failWith(ids);
  }
  AnnotationReader reader(*std::move(import), *std::move(scan), *std::move(ids), result);
  reader.chooseRows(isSameFolder(result.folder, label_folder));
  if (Status matched = reader.match(context); !matched) {
    return failWith(matched);
  }
  reader.finish();
  return result.rows.empty() ? noImages(result, scanned)
                             : Expected<AnnotatedImages>(std::move(result));
}

}  // namespace dubito
