// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/label_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/regular_file.h"
#include "core/review/formats/coco_labels.h"
#include "core/review/formats/csv_labels.h"
#include "core/review/formats/cvat_labels.h"
#include "core/review/formats/fiftyone_labels.h"
#include "core/review/formats/folder_labels.h"
#include "core/review/formats/image_lines.h"
#include "core/review/formats/jsonl_labels.h"
#include "core/review/formats/label_studio_labels.h"
#include "core/review/formats/labelme_labels.h"
#include "core/review/formats/listed_files.h"
#include "core/review/formats/place_head.h"
#include "core/review/formats/scores.h"
#include "core/review/formats/undecided.h"

namespace dubito {
namespace {

struct PartInfo {
  LabelPart part;
  const char* name;
  /// Whether a row has it; null for parts of classes.
  bool (*in_row)(const LabelRow& row);
};

constexpr PartInfo kParts[] = {
    {LabelPart::kItemIds, "item ids", [](const LabelRow& row) { return row.item.has_value(); }},
    {LabelPart::kPaths, "paths", [](const LabelRow& row) { return !row.path.empty(); }},
    {LabelPart::kClasses, "classes", [](const LabelRow& row) { return row.class_id.has_value(); }},
    {LabelPart::kWithoutClass, "decisions without a class",
     [](const LabelRow& row) { return !row.class_id && row.action.has_value(); }},
    {LabelPart::kActions, "actions", [](const LabelRow& row) { return row.action.has_value(); }},
    {LabelPart::kAnnotators, "annotators",
     [](const LabelRow& row) { return !row.annotator.empty(); }},
    {LabelPart::kTimes, "times", [](const LabelRow& row) { return row.time_ms != 0; }},
    {LabelPart::kOrigins, "origins", [](const LabelRow& row) { return row.origin.has_value(); }},
    {LabelPart::kPrevious, "previous labels",
     [](const LabelRow& row) {
       return row.previous_class.has_value() || row.previous_origin.has_value();
     }},
    {LabelPart::kProbabilities, "probabilities",
     [](const LabelRow& row) { return row.class_id && (row.probability || !row.probs.empty()); }},
    {LabelPart::kProbVectors, "probability vectors",
     [](const LabelRow& row) { return !row.probs.empty(); }},
    {LabelPart::kUnusedClasses, "classes without labels", nullptr},
    {LabelPart::kClassDetails, "colours, keys and merges of classes", nullptr},
    {LabelPart::kHistory, "earlier decisions", nullptr},
    {LabelPart::kCircumstances, "time spent, queues, runs and hashes",
     [](const LabelRow& row) {
       return row.spent_ms != 0 || row.prediction_shown.has_value() || !row.queue.empty() ||
              !row.run.empty() || !row.content_hash.empty();
     }},
    {LabelPart::kRemarks, "comments on images and texts about classes", nullptr},
};
static_assert(std::size(kParts) == kLabelParts);

std::int64_t unusedClasses(const LabelTable& table) {
  const ClassNames names(table.classes);
  std::set<std::int64_t> used;
  for (const LabelRow& row : table.rows) {
    if (row.present && row.class_id) {
      used.insert(names.merged(*row.class_id));
    }
  }
  return std::ranges::count_if(table.classes, [&](const LabelClass& each) {
    return !each.merged_into && !used.contains(each.id);
  });
}

/// Number of labels or classes that have this part.
std::int64_t countOf(const PartInfo& info, const LabelTable& table) {
  switch (info.part) {
    case LabelPart::kUnusedClasses:
      return unusedClasses(table);
    case LabelPart::kClassDetails:
      return std::ranges::count_if(table.classes, [](const LabelClass& each) {
        return !each.colour.empty() || !each.key.empty() || each.merged_into;
      });
    case LabelPart::kHistory:
      return std::ranges::count(table.rows, false, &LabelRow::present);
    case LabelPart::kRemarks:
      return std::ssize(table.remarks);
    default:
      return std::ranges::count_if(
          table.rows, [&](const LabelRow& row) { return row.present && info.in_row(row); });
  }
}

bool isCompleteFormat(const LabelFormat& format) {
  return format.key != nullptr && format.name != nullptr && format.ending != nullptr &&
         format.summary != nullptr && format.read != nullptr && format.write != nullptr;
}

// A deque, because references must stay valid.
std::deque<LabelFormat>& mutableFormats() {
  static std::deque<LabelFormat> formats{csvLabels(),      jsonlLabels(),       folderLabels(),
                                         labelmeLabels(),  labelStudioLabels(), cvatLabels(),
                                         fiftyOneLabels(), cocoLabels(),        imageLines()};
  return formats;
}

LabelMatch matchOf(const LabelFormat& format, const LabelPlace& place) {
  return format.recognise == nullptr ? LabelMatch::kNone : format.recognise(place);
}

/// The format that matches best, the first of equals; null if none does.
const LabelFormat* bestFormat(const LabelPlace& place) {
  const LabelFormat* best = nullptr;
  LabelMatch match = LabelMatch::kNone;
  for (const LabelFormat& format : mutableFormats()) {
    if (const LabelMatch found = matchOf(format, place); found > match) {
      match = found;
      best = &format;
    }
  }
  return best;
}

/// The file of a folder that `format` reads instead of it; "" if there is none.
std::string usualFileIn(const LabelFormat& format, const LabelPlace& place) {
  const std::string name = format.usual_file;
  if (!place.is_folder || name.empty() ||
      std::ranges::find(place.files, name) == place.files.end()) {
    return {};
  }
  return (std::filesystem::path(place.path) / name).string();
}

Expected<LabelPlace> placeOf(const std::string& path, RunContext& context) {
  LabelPlace place{.path = path};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: there is no such file or folder; check the path", path));
  }
  place.is_folder = std::filesystem::is_directory(status);
  if (place.is_folder) {
    auto listed = listFiles(path, context);
    if (!listed) {
      return failWith(listed);
    }
    place.files = std::move(listed->files);
    return place;
  }
  if (Status regular = checkRegularFile(path); !regular) {
    return failWith(regular);
  }
  place.head = headOfFile(path);
  return place;
}

/// Names of the formats that treat shapes so.
std::vector<std::string> namesOf(LabelShapes shapes) {
  std::vector<std::string> names;
  for (const LabelFormat& format : mutableFormats()) {
    if (format.shapes == shapes) {
      names.emplace_back(format.name);
    }
  }
  return names;
}

tl::unexpected<Error> unknownLabels(const std::string& path) {
  std::vector<std::string> names;
  for (const LabelFormat& format : mutableFormats()) {
    names.emplace_back(format.name);
  }
  return fail(ErrorCode::kUnsupported,
              fmt::format("{}: does not look like labels of a known program ({}); export the "
                          "labels in one of these formats",
                          path, fmt::join(names, ", ")));
}

}  // namespace

const char* nameOf(LabelPart part) {
  return kParts[static_cast<std::size_t>(part)].name;
}

std::vector<Field> LabelExportOptions::fields() {
  return {
      {{.name = "images",
        .label = "Images",
        .help = "folder that the paths of the items are relative to"},
       &images},
      {{.name = "link",
        .label = "Class folders",
        .help = "how images get into class folders",
        .choices = {"copy", "hard-link", "symbolic-link"}},
       &link},
      {{.name = "url_prefix",
        .label = "URL prefix",
        .help = "put before the paths in Label Studio files",
        .advanced = true},
       &url_prefix},
      {{.name = "from",
        .label = "Keep the rest of",
        .help = "file or folder of the same format whose boxes, polygons and other contents are "
                "kept; only labels of whole images change",
        .advanced = true},
       &from},
      {{.name = "from_field",
        .label = "Field of these",
        .help = "field (FiftyOne) or control (Label Studio) with the labels in the file that is "
                "kept; empty: the usual or the only one",
        .advanced = true},
       &from_field},
      {{.name = "undecided",
        .label = "Undecided images",
        .help = "drop: left out; keep: with the given label; suggest: with the suggestion of the "
                "run if it is sure enough",
        .choices = {std::string(keyOf(Undecided::kDrop)), std::string(keyOf(Undecided::kKeep)),
                    std::string(keyOf(Undecided::kSuggest))}},
       &undecided},
      {{.name = "min_probability",
        .label = "Sure",
        .help = "least probability of a suggestion that an undecided image gets",
        .min = 0.0,
        .max = 1.0},
       &min_probability},
  };
}

Status LabelExportOptions::check() const {
  LabelExportOptions copy = *this;
  return checkFields(copy.fields());
}

std::vector<Field> LabelImportOptions::fields() {
  return {
      {{.name = "field",
        .label = "Field",
        .help = "field of a sample (FiftyOne) or control (Label Studio) with the class"},
       &field},
  };
}

std::vector<const LabelFormat*> allLabelFormats() {
  std::vector<const LabelFormat*> formats;
  for (const LabelFormat& format : mutableFormats()) {
    formats.push_back(&format);
  }
  return formats;
}

const LabelFormat* findLabelFormat(std::string_view key) {
  const std::deque<LabelFormat>& formats = mutableFormats();
  const auto found = std::ranges::find(
      formats, key, [](const LabelFormat& format) { return std::string_view(format.key); });
  return found == formats.end() ? nullptr : &*found;
}

void addLabelFormat(const LabelFormat& format) {
  if (!isCompleteFormat(format)) {
    throw std::invalid_argument("addLabelFormat: a member is missing");
  }
  if (findLabelFormat(format.key) != nullptr) {
    throw std::invalid_argument(std::string("addLabelFormat: duplicate key ") + format.key);
  }
  mutableFormats().push_back(format);
}

std::vector<LabelNote> lossesOf(const LabelFormat& format, const LabelTable& table) {
  std::vector<LabelNote> notes;
  for (const PartInfo& info : kParts) {
    if (!format.keeps.contains(info.part)) {
      addNote(notes, fmt::format("{}, not kept by {}", info.name, format.name),
              countOf(info, table));
    }
  }
  return notes;
}

Expected<LabelExport> exportLabels(const LabelFormat& format, const LabelTable& table,
                                   const std::string& path, const LabelExportOptions& options,
                                   RunContext& context) {
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  if (!options.from.empty() && format.shapes != LabelShapes::kWrittenBack) {
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: {} exports do not keep the contents of another file; leave it out, or "
                    "export as {}",
                    path, format.name, fmt::join(namesOf(LabelShapes::kWrittenBack), ", ")));
  }
  Expected<LabelExport> result = format.write(table, path, options, context);
  if (result) {
    for (LabelNote& note : lossesOf(format, table)) {
      result->notes.push_back(std::move(note));
    }
  }
  return result;
}

Expected<RecognisedLabels> recogniseLabels(const std::string& path, const std::string& key,
                                           RunContext& context) {
  const LabelFormat* const named = key.empty() ? nullptr : findLabelFormat(key);
  if (!key.empty() && named == nullptr) {
    std::vector<std::string> keys;
    for (const LabelFormat& format : mutableFormats()) {
      keys.emplace_back(format.key);
    }
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: there is no label format {}; use one of {}", path, inQuotes(key),
                            fmt::join(keys, ", ")));
  }
  const Expected<LabelPlace> place = placeOf(path, context);
  if (!place) {
    return failWith(place);
  }
  if (named != nullptr) {
    const std::string file = usualFileIn(*named, *place);
    return RecognisedLabels{named, file.empty() ? path : file};
  }
  for (const LabelFormat& format : mutableFormats()) {
    if (const std::string file = usualFileIn(format, *place); !file.empty()) {
      const LabelPlace inside{.path = file, .head = headOfFile(file)};
      if (matchOf(format, inside) == LabelMatch::kCertain) {
        return RecognisedLabels{&format, file};
      }
    }
  }
  const LabelFormat* const best = bestFormat(*place);
  return best == nullptr ? unknownLabels(path)
                         : Expected<RecognisedLabels>(RecognisedLabels{best, path});
}

Expected<LabelImport> importLabels(const LabelFormat& format, const std::string& path,
                                   const LabelImportOptions& options, RunContext& context) {
  Expected<LabelImport> result = format.read(path, options, context);
  if (result) {
    if (!format.keeps.contains(LabelPart::kHistory)) {
      settleScores(result->table, result->notes);
    }
    addNote(result->notes,
            format.shapes == LabelShapes::kWrittenBack
                ? "boxes, polygons and other shapes, left untouched: only whole images are "
                  "reviewed, and an export from this file writes the shapes back"
                : "boxes, polygons and other shapes, left untouched: only whole images are "
                  "reviewed, and exports do not have the shapes",
            result->shapes);
  }
  // A journal may be empty, but the file of another tool without labels is the wrong file.
  if (result && result->table.rows.empty() && !format.keeps.contains(LabelPart::kHistory)) {
    std::vector<std::string> reasons;
    for (const LabelNote& note : result->notes) {
      reasons.push_back(fmt::format("{}: {}", note.text, note.count));
    }
    return fail(
        ErrorCode::kMalformed,
        fmt::format("{}: contains no label{}{}; check that it is a {} export with labels", path,
                    reasons.empty() ? "" : "; ", fmt::join(reasons, "; "), format.name));
  }
  return result;
}

}  // namespace dubito
