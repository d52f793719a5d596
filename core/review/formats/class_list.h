// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/labels/label_class.h"
#include "core/labels/label_store.h"
#include "core/review/formats/label_note.h"

namespace dubito {

/// The classes of a project as a file, without labels: names, colours and keys, in their order.
struct ClassList {
  /// Ids count from 0; names are unique and not empty, keys unique; nothing is merged.
  std::vector<LabelClass> classes;
  /// Parts left out: keys and colours that a label store cannot have, classes named twice,
  /// classes of shapes.
  std::vector<LabelNote> notes;
};

/// A file format for lists of classes.
struct ClassListFormat {
  const char* key;      ///< "cvat"
  const char* name;     ///< "CVAT labels"
  const char* ending;   ///< of its files: ".json"
  const char* summary;  ///< its content, in one line
  /// Name, then colour, then key; a format that keeps keys keeps colours too.
  bool keeps_keys;
  bool (*recognise)(std::string_view text);
  /// kMalformed with `path`, the position, the reason and the remedy.
  Expected<ClassList> (*read)(std::string_view text, const std::string& path);
  std::string (*write)(std::span<const LabelClass> classes);
};

/// All formats, the one of this program first.
[[nodiscard]] std::span<const ClassListFormat> allClassListFormats();
/// nullptr for an unknown key.
[[nodiscard]] const ClassListFormat* findClassListFormat(std::string_view key);

/// Reads a list of classes. `key` names the format; if it is empty, the content decides.
/// kInvalidArgument for an unknown key, kUnsupported if no format fits, kMalformed also for a file
/// without classes; the errors of MappedFile::open.
[[nodiscard]] Expected<ClassList> readClassList(const std::string& path,
                                                const std::string& key = {});

/// Writes the classes that are not merged into others, in the order of their ids. The file is
/// replaced as a whole. Returns notes about what the format does not keep. kInvalidArgument for an
/// unknown key; kWriteFailed.
[[nodiscard]] Expected<std::vector<LabelNote>> writeClassList(std::span<const LabelClass> classes,
                                                              const std::string& path,
                                                              const std::string& key);

/// The labelling interface of Label Studio (XML) with these classes as choices of one image;
/// classes merged into others are left out. `writeLabelStudio` exports match it.
[[nodiscard]] std::string labelStudioInterface(std::span<const LabelClass> classes);

/// Changes made by applyClassList().
struct ClassListChanges {
  std::vector<std::string> added;    ///< names of classes that the store did not have
  std::vector<std::string> changed;  ///< names of classes with a new key or colour
  std::vector<LabelNote> notes;      ///< keys that another class of the store has, left out
};

/// Gives a store the classes of a list: those that it does not have are added, the others get the
/// keys and colours of the list; an empty key or colour changes nothing, and no class is removed,
/// renamed or merged. Each change is a step of the journal. Errors of LabelStore.
[[nodiscard]] Expected<ClassListChanges> applyClassList(LabelStore& store,
                                                        std::span<const LabelClass> list,
                                                        const std::string& annotator);

}  // namespace dubito
