// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/required.h"
#include "core/base/run_context.h"
#include "core/review/formats/label_note.h"
#include "core/review/formats/label_table.h"

namespace dubito {

/// A kind of information in a LabelTable. Formats other than JSON lines keep only some.
enum class LabelPart : std::uint8_t {
  kItemIds,
  kPaths,
  kClasses,
  kWithoutClass,  ///< that an item was skipped, is ambiguous or belongs to no class
  kActions,
  kAnnotators,
  kTimes,
  kOrigins,
  kPrevious,       ///< label and origin before the decision
  kProbabilities,  ///< one per label, of its class
  kProbVectors,
  kUnusedClasses,  ///< classes without labels
  kClassDetails,   ///< colours, keys, merges
  kHistory,        ///< decisions other than the present labels
  kCircumstances,  ///< hash, time spent, shown prediction, queue, run
  kRemarks,        ///< comments on items, texts about classes
};
inline constexpr std::size_t kLabelParts = static_cast<std::size_t>(LabelPart::kRemarks) + 1;

/// A set of parts.
class LabelParts {
 public:
  constexpr LabelParts() = default;
  constexpr LabelParts(std::initializer_list<LabelPart> parts) {
    for (const LabelPart part : parts) {
      bits_ |= 1U << static_cast<unsigned>(part);
    }
  }
  [[nodiscard]] constexpr bool contains(LabelPart part) const {
    return (bits_ >> static_cast<unsigned>(part) & 1U) != 0;
  }

 private:
  std::uint32_t bits_ = 0;
};

/// "annotators", in the plural.
[[nodiscard]] const char* nameOf(LabelPart part);

/// Treatment of boxes, polygons and other shapes, which are not labels of whole images.
enum class LabelShapes : std::uint8_t {
  kNone,         ///< the format has none
  kLeftOut,      ///< counted when read; exports do not have them
  kWrittenBack,  ///< counted when read; LabelExportOptions::from writes them back
};

struct LabelExportOptions {
  /// Folder that the paths of the items are relative to; empty: the current one. Used by formats
  /// that copy or refer to images.
  std::string images = {};
  /// How images get into class folders: "copy", "hard-link", "symbolic-link".
  std::string link = "copy";
  /// Put before the paths in Label Studio files.
  std::string url_prefix = "/data/local-files/?d=";
  /// File or folder of this format whose contents, shapes among them, are kept; only the labels of
  /// whole images change. Empty: none.
  std::string from = {};
  /// LabelImportOptions::field with which `from` was read; empty: the usual one.
  std::string from_field = {};
  /// keyOf(Undecided): treatment of items without a decision. Only addUndecided() looks at it.
  std::string undecided = "drop";
  /// Of a suggestion that an undecided item gets.
  double min_probability = 0.9;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

struct LabelImportOptions {
  /// Which field of a sample (FiftyOne) or which control (Label Studio) has the class; empty:
  /// "ground_truth" or the only one.
  std::string field = {};

  [[nodiscard]] std::vector<Field> fields();
};

struct LabelExport {
  std::int64_t labels = 0;  ///< entries written
  std::vector<LabelNote> notes = {};
};

/// Classes have ids in the order in which the file lists or uses them, unless it has numbers.
struct LabelImport {
  LabelTable table;
  std::vector<LabelNote> notes = {};
  std::int64_t shapes = 0;  ///< boxes, polygons and other shapes, which are not in the table
};

/// A file or folder whose format is to be recognised.
struct LabelPlace {
  std::string path = {};
  bool is_folder = false;
  std::string head = {};                ///< headOfFile() of a file
  std::vector<std::string> files = {};  ///< of a folder: relative paths of the files in it
};

/// How much a file or folder looks like one of a format.
enum class LabelMatch : std::uint8_t {
  kNone,
  kPossible,  ///< readable, but other formats look the same
  kCertain,
};

/// A file format for labels.
struct LabelFormat {
  const char* key;      ///< "label-studio"
  const char* name;     ///< "Label Studio (JSON)"
  const char* ending;   ///< of its files: ".json"; empty: a folder of files
  const char* summary;  ///< its content, in one line
  LabelParts keeps;
  Required<LabelShapes> shapes;
  /// kMalformed and kUnsupported state the file, the position, the reason and the remedy; entries
  /// that cannot be used are noted. The errors of MappedFile::open; kCancelled.
  Expected<LabelImport> (*read)(const std::string& path, const LabelImportOptions& options,
                                RunContext& context) = nullptr;
  /// Writes the present labels (JSON lines: all rows). Files are replaced; folders must be absent
  /// or empty. After an error nothing is left. kWriteFailed, kNotFound, kCancelled.
  Expected<LabelExport> (*write)(const LabelTable& table, const std::string& path,
                                 const LabelExportOptions& options, RunContext& context) = nullptr;
  /// Judges by content, not by name. Null: the format is only read if it is named.
  LabelMatch (*recognise)(const LabelPlace& place) = nullptr;
  /// Name of the label file if a folder is given: "samples.json"; empty: none.
  const char* usual_file = "";
};

/// All formats, the recommended ones first. References stay valid.
[[nodiscard]] std::vector<const LabelFormat*> allLabelFormats();
/// nullptr for an unknown key.
[[nodiscard]] const LabelFormat* findLabelFormat(std::string_view key);
/// Adds a format. Call at start-up. Throws std::invalid_argument for a duplicate key or a missing
/// member.
void addLabelFormat(const LabelFormat& format);

/// What an export of this table would lose: one note per part, with the number of labels or classes
/// concerned.
[[nodiscard]] std::vector<LabelNote> lossesOf(const LabelFormat& format, const LabelTable& table);

/// format.write(), after checking the options; its notes are followed by lossesOf(). kUnsupported
/// for options.from if the format does not write shapes back; errors of reading that file.
[[nodiscard]] Expected<LabelExport> exportLabels(const LabelFormat& format, const LabelTable& table,
                                                 const std::string& path,
                                                 const LabelExportOptions& options,
                                                 RunContext& context);
/// A label file and its format.
struct RecognisedLabels {
  const LabelFormat* format = nullptr;
  std::string path;  ///< the given one, or LabelFormat::usual_file in it
};

/// Determines the format of a file or folder by its content; `key` names it instead, if not empty.
/// kNotFound, kInvalidArgument for an unknown key, kUnsupported if no format fits, kReadFailed,
/// kCancelled.
[[nodiscard]] Expected<RecognisedLabels> recogniseLabels(const std::string& path,
                                                         const std::string& key,
                                                         RunContext& context);

/// format.read(); a note states their number and treatment. kMalformed if the file
/// contains no label at all.
[[nodiscard]] Expected<LabelImport> importLabels(const LabelFormat& format, const std::string& path,
                                                 const LabelImportOptions& options,
                                                 RunContext& context);

}  // namespace dubito
