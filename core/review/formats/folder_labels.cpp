// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/folder_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/review/formats/file_names.h"
#include "core/review/formats/listed_files.h"
#include "core/review/formats/new_folder.h"
#include "core/review/formats/place_head.h"
#include "core/review/formats/yolo_predictions.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileName = 255;
constexpr std::int64_t kImagesPerStep = 16;

// --- Writing

struct PlacedImage {
  std::string source;
  std::string target;  ///< relative to the new folder
};

struct FolderPlan {
  std::vector<PlacedImage> images;
  std::vector<LabelNote> notes;
};

/// "cat/a%2Fb.png" for the image a/b.png: directly inside the folder of the class, because some
/// programs take the innermost folder for the class. If that name is too long for a file system,
/// the image stays in its folders.
std::string placeInClass(const std::string& name, const std::string& path,
                         std::vector<std::string>& nested) {
  const std::string flat = fileNameOf(path);
  if (flat.size() <= kMaxFileName) {
    return fileNameOf(name) + '/' + flat;
  }
  nested.push_back(path);
  return fileNameOf(name) + '/' + containedPath(path);
}

/// Nothing if a component is too long for a file system.
bool fitsFileSystem(const std::string& contained) {
  return std::ranges::all_of(fs::path(contained), [](const fs::path& component) {
    return component.native().size() <= kMaxFileName;
  });
}

Expected<FolderPlan> planFolders(const LabelTable& table, const ClassNames& names,
                                 const std::string& path, const std::string& images) {
  FolderPlan plan;
  std::vector<std::string> pathless;
  std::vector<std::string> missing;
  std::vector<std::string> repeated;
  std::vector<std::string> nested;
  std::set<std::string> targets;
  for (const std::size_t i : presentRows(table)) {
    const LabelRow& row = table.rows[i];
    const std::string* const name = names.of(row.class_id);
    if (name == nullptr) {
      continue;  // noted as decisions without a class
    }
    if (row.path.empty()) {
      pathless.push_back(itemText(row));
      continue;
    }
    PlacedImage image{(fs::path(images) / row.path).string(),
                      placeInClass(*name, row.path, nested)};
    std::error_code error;
    if (!fitsFileSystem(image.target)) {
      return fail(ErrorCode::kWriteFailed,
                  fmt::format("{}: the name of the class or image {} is longer than {} bytes; "
                              "shorten it",
                              path, inQuotes(image.target), kMaxFileName));
    }
    if (!fs::is_regular_file(image.source, error)) {
      missing.push_back(row.path);
    } else if (!targets.insert(image.target).second) {
      repeated.push_back(row.path);
    } else {
      plan.images.push_back(std::move(image));
    }
  }
  if (plan.images.empty() && !missing.empty()) {
    return fail(
        ErrorCode::kNotFound,
        fmt::format("{}: none of {} images was found, the first would be {}; set the folder "
                    "of the images",
                    path, missing.size(),
                    shownText((fs::path(images) / missing.front()).string(), 300)));
  }
  addNote(plan.notes, "images that were not found", std::move(missing));
  addNote(plan.notes, "labels without a path, left out", std::move(pathless));
  addNote(plan.notes, "images with several labels of the same class, placed once",
          std::move(repeated));
  addNote(
      plan.notes,
      "images in folders inside that of their class, because their paths are too long for names",
      std::move(nested));
  return plan;
}

Expected<LabelExport> writeFolderLabels(const LabelTable& table, const std::string& path,
                                        const LabelExportOptions& options, RunContext& context) {
  const ClassNames names(table.classes);
  Expected<FolderPlan> plan = planFolders(table, names, path, options.images);
  if (!plan) {
    return failWith(plan);
  }
  Expected<NewFolder> folder = NewFolder::create(path);
  if (!folder) {
    return failWith(folder);
  }
  LabelExport result{0, std::move(plan->notes)};
  const auto total = static_cast<std::int64_t>(plan->images.size());
  for (const PlacedImage& image : plan->images) {
    if (result.labels % kImagesPerStep == 0 &&
        context.step("writing", result.labels, total) == Step::kCancel) {
      return cancelled();
    }
    if (Status added = folder->addImage(image.target, image.source, options.link); !added) {
      return failWith(added);
    }
    ++result.labels;
  }
  if (Status committed = folder->commit(); !committed) {
    return failWith(committed);
  }
  return result;
}

// --- Reading

constexpr std::string_view kImagesFolder = "images";
constexpr std::array<std::string_view, 5> kSplitNames{"train", "val", "valid", "validation",
                                                      "test"};

/// Whether all folders are splits of a dataset with class folders in them, as YOLO's classifiers
/// want them: "train/cat/1.jpg".
bool hasSplits(const ListedFiles& listed) {
  const bool all_are_splits = std::ranges::all_of(listed.folders, [](const std::string& folder) {
    return std::ranges::find(kSplitNames, folder) != kSplitNames.end();
  });
  const auto lies_flat = [](const std::string& file) {
    const auto slashes = std::ranges::count(file, '/');
    return slashes == 1 && hasImageEnding(file);
  };
  return all_are_splits && !listed.folders.empty() &&
         std::ranges::none_of(listed.files, lies_flat) &&
         std::ranges::any_of(listed.files, hasImageEnding);
}

/// Rows of split/class/image; files elsewhere are noted.
void addSplitRows(const std::vector<std::string>& files, ClassIds& classes, LabelImport& result) {
  std::vector<std::string> names;
  std::vector<std::string> loose;
  const auto classFolderOf = [](const std::string& file) {
    const std::size_t start = file.find('/') + 1;  // npos + 1 is 0
    const std::size_t end = start == 0 ? std::string::npos : file.find('/', start);
    return end == std::string::npos ? std::string() : file.substr(start, end - start);
  };
  for (const std::string& file : files) {
    if (std::string name = classFolderOf(file); !name.empty()) {
      names.push_back(std::move(name));
    }
  }
  std::ranges::sort(names);  // as class folders are listed
  for (const std::string& name : names) {
    classes.idOf(textOfFileName(name));
  }
  for (const std::string& file : files) {
    const std::string name = classFolderOf(file);
    if (name.empty()) {
      loose.push_back(file);
      continue;
    }
    LabelRow row;
    row.path = file;
    row.class_id = classes.idOf(textOfFileName(name));
    result.table.rows.push_back(std::move(row));
  }
  addNote(result.notes, "files outside of the class folders", std::move(loose));
}

/// Rows of class/image; files elsewhere are noted.
void addClassRows(const ListedFiles& listed, ClassIds& classes, LabelImport& result) {
  for (const std::string& folder : listed.folders) {
    classes.idOf(textOfFileName(folder));
  }
  std::vector<std::string> loose;
  for (const std::string& file : listed.files) {
    const std::size_t slash = file.find('/');
    if (slash == std::string::npos) {
      loose.push_back(file);
      continue;
    }
    LabelRow row;
    row.path = pathOfContained(file.substr(slash + 1));
    // In folders of other programs, the class is part of the path.
    row.second_path = file;
    row.class_id = classes.idOf(textOfFileName(file.substr(0, slash)));
    result.table.rows.push_back(std::move(row));
  }
  addNote(result.notes, "files outside of the class folders", std::move(loose));
}

/// Takes the files that are no images, and the folders with nothing else, out of a list. Returns
/// the files.
std::vector<std::string> takeOtherFiles(ListedFiles& listed) {
  std::vector<std::string> others;
  std::set<std::string> with_images;
  std::set<std::string> with_others;
  std::vector<std::string> images;
  for (std::string& file : listed.files) {
    const bool is_image = hasImageEnding(file);
    (is_image ? with_images : with_others).insert(file.substr(0, file.find('/')));
    (is_image ? images : others).push_back(std::move(file));
  }
  listed.files = std::move(images);
  std::erase_if(listed.folders, [&](const std::string& folder) {
    return with_others.contains(folder) && !with_images.contains(folder);
  });
  return others;
}

std::string stemOf(const std::string& path) {
  return fs::path(path).stem().string();
}

/// Gives the images of class folders the scores of their predictions, or makes rows of predictions
/// without class folders.
void addPredictions(YoloPredictions predictions, LabelImport& result) {
  std::vector<LabelRow>& rows = result.table.rows;
  result.shapes += predictions.boxes;
  if (predictions.boxes > 0) {
    // The folder "images" of a dataset for detection is no class.
    const ClassNames names(result.table.classes);
    std::erase_if(
        rows, [&names](const LabelRow& row) { return names.text(row.class_id) == kImagesFolder; });
    std::erase_if(result.table.classes,
                  [](const LabelClass& each) { return each.name == kImagesFolder; });
  }
  addNote(result.notes, "text files that are no predictions, left out",
          std::move(predictions.unreadable));
  if (rows.empty()) {
    rows = std::move(predictions.rows);
    return;
  }
  std::unordered_map<std::string, std::vector<std::size_t>> rows_of_stem;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows_of_stem[stemOf(rows[i].path)].push_back(i);
  }
  std::vector<std::string> unused;
  for (LabelRow& prediction : predictions.rows) {
    const auto found = rows_of_stem.find(fs::path(prediction.path).filename().string());
    LabelRow* const row = found == rows_of_stem.end() || found->second.size() != 1
                              ? nullptr
                              : &rows[found->second.front()];
    if (row != nullptr && !prediction.probs.empty()) {
      row->probs = std::move(prediction.probs);
    } else if (row != nullptr && row->class_id == prediction.class_id) {
      row->probability = prediction.probability;
    } else {
      unused.push_back(std::move(prediction.path));
    }
  }
  addNote(result.notes,
          "predictions that fit no image or several, or name another class than the folder without "
          "the scores of all classes, left out",
          std::move(unused));
}

Expected<LabelImport> readFolderLabels(const std::string& path,
                                       const LabelImportOptions& /*options*/, RunContext& context) {
  Expected<ListedFiles> listed = listFiles(path, context);
  if (!listed) {
    return failWith(listed);
  }
  std::vector<std::string> others = takeOtherFiles(*listed);
  LabelImport result;
  ClassIds classes(result.table.classes);
  if (hasSplits(*listed)) {
    addSplitRows(listed->files, classes, result);
  } else {
    addClassRows(*listed, classes, result);
  }
  std::vector<std::string> names;
  for (const LabelClass& each : result.table.classes) {
    names.push_back(each.name);
  }
  auto predictions = readYoloPredictions(path, others, names, classes, context);
  if (!predictions) {
    return failWith(predictions);
  }
  addPredictions(*std::move(predictions), result);
  std::erase_if(others, isYoloText);
  addNote(result.notes, "files that are no images, left out", std::move(others));
  return result;
}

LabelMatch recogniseFolders(const LabelPlace& place) {
  const bool has_images = std::ranges::any_of(place.files, [](const std::string& file) {
    return file.find('/') != std::string::npos && hasImageEnding(file);
  });
  const auto text = std::ranges::find_if(place.files, isYoloText);
  const bool has_predictions = text != place.files.end() &&
                               beginsLikeYolo(headOfFile((fs::path(place.path) / *text).string()));
  return has_images || has_predictions ? LabelMatch::kPossible : LabelMatch::kNone;
}

}  // namespace

LabelFormat folderLabels() {
  return {.key = "folders",
          .name = "class folders",
          .ending = "",
          .summary =
              "one folder per class, in folders train and val or not, with the images or "
              "links to them; when read, also YOLO predictions in text files",
          .keeps = {LabelPart::kPaths, LabelPart::kClasses},
          .shapes = LabelShapes::kLeftOut,
          .read = readFolderLabels,
          .write = writeFolderLabels,
          .recognise = recogniseFolders};
}

}  // namespace dubito
