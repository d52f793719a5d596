// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/class_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/base/lower_case.h"
#include "core/io/atomic_file.h"
#include "core/io/mapped_file.h"
#include "core/labels/class_rules.h"
#include "core/review/formats/parsed_json.h"
#include "core/review/formats/place_head.h"
#include "core/review/formats/utf8_text.h"
#include "core/review/formats/xml_text.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kListFormat = "dubito-classes";
constexpr std::int64_t kListVersion = 1;
constexpr const char* kListRemedy = "export the classes again";

struct NamedColour {
  const char* name;
  const char* colour;
};
/// The basic colours of CSS and those that Label Studio's templates use.
constexpr NamedColour kNamedColours[] = {
    {"black", "#000000"},     {"silver", "#c0c0c0"},   {"gray", "#808080"},
    {"grey", "#808080"},      {"white", "#ffffff"},    {"maroon", "#800000"},
    {"red", "#ff0000"},       {"purple", "#800080"},   {"fuchsia", "#ff00ff"},
    {"magenta", "#ff00ff"},   {"green", "#008000"},    {"lime", "#00ff00"},
    {"olive", "#808000"},     {"yellow", "#ffff00"},   {"navy", "#000080"},
    {"blue", "#0000ff"},      {"teal", "#008080"},     {"aqua", "#00ffff"},
    {"cyan", "#00ffff"},      {"orange", "#ffa500"},   {"pink", "#ffc0cb"},
    {"brown", "#a52a2a"},     {"gold", "#ffd700"},     {"violet", "#ee82ee"},
    {"darkgreen", "#006400"}, {"darkblue", "#00008b"}, {"darkorange", "#ff8c00"},
};

/// "#rrggbb" of "#RGB", "#RRGGBB", "#RRGGBBAA" or a name; nothing for other texts.
std::optional<std::string> colourOf(const std::string& text) {
  const std::string lower = lowerCase(text);
  for (const NamedColour& named : kNamedColours) {
    if (lower == named.name) {
      return named.colour;
    }
  }
  const bool is_hex =
      lower.starts_with('#') && lower.find_first_not_of("0123456789abcdef", 1) == std::string::npos;
  constexpr std::size_t kShort = 4;
  constexpr std::size_t kFull = 7;
  constexpr std::size_t kWithAlpha = 9;
  if (is_hex && (lower.size() == kFull || lower.size() == kWithAlpha)) {
    return text.substr(0, kFull);
  }
  if (is_hex && lower.size() == kShort) {
    return fmt::format("#{0}{0}{1}{1}{2}{2}", lower[1], lower[2], lower[3]);
  }
  return std::nullopt;
}

/// Collects the classes of a file and what a label store cannot have of them.
class ListBuilder {
 public:
  void add(const std::string& name, const std::string& colour, const std::string& key) {
    if (name.empty() || !names_.insert(name).second) {
      repeated_.push_back(name);
      return;
    }
    LabelClass added{.id = std::ssize(result_.classes), .name = name};
    if (const std::string wrong = wrongWithClass(added); !wrong.empty()) {
      unusable_.push_back(fmt::format("{}: {}", name, wrong));
      return;
    }
    if (const auto known = colour.empty() ? std::nullopt : colourOf(colour)) {
      added.colour = *known;
    } else if (!colour.empty()) {
      colours_.push_back(fmt::format("{}: {}", name, colour));
    }
    LabelClass with_key = added;
    with_key.key = key;
    if (!key.empty() && wrongWithClass(with_key).empty() && keys_.insert(with_key.key).second) {
      added.key = with_key.key;
    } else if (!key.empty()) {
      rejected_keys_.push_back(fmt::format("{}: {}", name, key));
    }
    result_.classes.push_back(std::move(added));
  }

  /// A class for boxes or other shapes.
  void addShape(const std::string& name) { shapes_.push_back(name); }
  void addNoteOf(const char* text, std::int64_t count) { addNote(result_.notes, text, count); }

  ClassList finish() {
    addNote(result_.notes, "classes without a name or named before, left out",
            std::move(repeated_));
    addNote(result_.notes, "classes that a label store cannot have, left out",
            std::move(unusable_));
    addNote(result_.notes, "classes for shapes, left out", std::move(shapes_));
    addNote(result_.notes, "colours that are not of the form #rrggbb, left out",
            std::move(colours_));
    addNote(result_.notes, "keys that are not one letter or digit, or used before, left out",
            std::move(rejected_keys_));
    return std::move(result_);
  }

 private:
  ClassList result_;
  std::set<std::string> names_, keys_;
  std::vector<std::string> repeated_, unusable_, shapes_, colours_, rejected_keys_;
};

// --- The format of this program

bool recogniseOwnList(std::string_view text) {
  return firstCharacter(text) == '{' && text.find(kListFormat) != std::string_view::npos;
}

Expected<ClassList> readOwnList(std::string_view text, const std::string& path) {
  const Expected<json> file = parseJson(text, path, kListRemedy);
  if (!file) {
    return failWith(file);
  }
  if (textMember(*file, "format") != kListFormat) {
    return fail(ErrorCode::kMalformed, fmt::format("{}: is not a list of classes ({{\"format\": "
                                                   "\"{}\", ...}}); {}",
                                                   path, kListFormat, kListRemedy));
  }
  if (const auto version = integerMember(*file, "schema_version");
      version.value_or(1) > kListVersion) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: has version {}, but this program reads versions up to {}; update "
                            "the program",
                            path, *version, kListVersion));
  }
  if (Status has_list = requireList(*file, "classes", path, kListRemedy); !has_list) {
    return failWith(has_list);
  }
  ListBuilder list;
  for (const json& each : listMember(*file, "classes")) {
    list.add(textMember(each, "name"), textMember(each, "colour"), textMember(each, "key"));
  }
  return list.finish();
}

std::string writeOwnList(std::span<const LabelClass> classes) {
  json file{{"format", kListFormat}, {"schema_version", kListVersion}};
  json& list = file["classes"] = json::array();
  for (const LabelClass& each : classes) {
    json object{{"name", each.name}};
    if (!each.colour.empty()) {
      object["colour"] = each.colour;
    }
    if (!each.key.empty()) {
      object["key"] = each.key;
    }
    list.push_back(std::move(object));
  }
  return jsonText(file, 2) + '\n';
}

// --- CVAT: the "Raw" view of the labels of a task

bool recogniseCvatList(std::string_view text) {
  return firstCharacter(text) == '[' && hasJsonKey(text, "name");
}

Expected<ClassList> readCvatList(std::string_view text, const std::string& path) {
  const Expected<json> file = parseJson(text, path, kListRemedy);
  if (!file) {
    return failWith(file);
  }
  if (!file->is_array()) {
    return fail(
        ErrorCode::kMalformed,
        fmt::format("{}: is not a list of labels as in CVAT's raw view; {}", path, kListRemedy));
  }
  ListBuilder list;
  for (const json& each : *file) {
    const std::string type = textMember(each, "type");
    const std::string name = textMember(each, "name");
    if (type.empty() || type == "tag" || type == "any") {
      list.add(name, textMember(each, "color"), {});
    } else {
      list.addShape(name);
    }
  }
  return list.finish();
}

std::string writeCvatList(std::span<const LabelClass> classes) {
  json list = json::array();
  for (const LabelClass& each : classes) {
    json object{{"name", each.name}, {"type", "tag"}, {"attributes", json::array()}};
    if (!each.colour.empty()) {
      object["color"] = each.colour;
    }
    list.push_back(std::move(object));
  }
  return jsonText(list, 2) + '\n';
}

// --- Label Studio: the labelling interface

bool recogniseStudioList(std::string_view text) {
  return firstCharacter(text) == '<' && text.find("<Choice") != std::string_view::npos;
}

/// Finds the first <Choices> in document order; the others are counted.
class ChoicesFinder : public pugi::xml_tree_walker {
 public:
  bool for_each(pugi::xml_node& node) override {
    if (std::string_view(node.name()) == "Choices") {
      first = first ? first : node;
      ++count;
    }
    shapes += std::string_view(node.name()) == "Label" ? 1 : 0;
    return true;
  }

  pugi::xml_node first;
  std::int64_t count = 0;
  std::int64_t shapes = 0;
};

Expected<ClassList> readStudioList(std::string_view text, const std::string& path) {
  pugi::xml_document document;
  if (Status parsed = parseXml(text, path, kListRemedy, document); !parsed) {
    return failWith(parsed);
  }
  ChoicesFinder choices;
  (void)document.traverse(choices);
  ListBuilder list;
  for (const pugi::xml_node choice : choices.first.children("Choice")) {
    // In the labels, the alias stands for the value.
    const std::string alias = choice.attribute("alias").value();
    list.add(alias.empty() ? choice.attribute("value").value() : alias,
             choice.attribute("background").value(), choice.attribute("hotkey").value());
  }
  list.addNoteOf("further lists of choices, left out", choices.count - (choices.count > 0 ? 1 : 0));
  list.addNoteOf("labels of shapes, left out", choices.shapes);
  return list.finish();
}

std::string writeStudioList(std::span<const LabelClass> classes) {
  return labelStudioInterface(classes);
}

constexpr std::array kFormats{
    ClassListFormat{"json", "classes (JSON)", ".json", "names, colours and keys", true,
                    recogniseOwnList, readOwnList, writeOwnList},
    ClassListFormat{"cvat", "CVAT labels", ".json", "the raw view of the labels of a CVAT task",
                    false, recogniseCvatList, readCvatList, writeCvatList},
    ClassListFormat{"label-studio", "Label Studio interface", ".xml",
                    "a labelling interface with <Choices>", true, recogniseStudioList,
                    readStudioList, writeStudioList},
};

std::string keysOfFormats() {
  std::vector<std::string> keys;
  for (const ClassListFormat& format : kFormats) {
    keys.emplace_back(format.key);
  }
  return fmt::format("{}", fmt::join(keys, ", "));
}

tl::unexpected<Error> unknownListFormat(const std::string& path, const std::string& key) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: there is no format {} for classes; use one of {}", path,
                          inQuotes(key), keysOfFormats()));
}

std::vector<LabelClass> unmerged(std::span<const LabelClass> classes) {
  std::vector<LabelClass> result;
  std::ranges::copy_if(classes, std::back_inserter(result),
                       [](const LabelClass& each) { return !each.merged_into; });
  std::ranges::sort(result, {}, &LabelClass::id);
  return result;
}

}  // namespace

std::span<const ClassListFormat> allClassListFormats() {
  return kFormats;
}

const ClassListFormat* findClassListFormat(std::string_view key) {
  const auto* const found = std::ranges::find_if(
      kFormats, [key](const ClassListFormat& format) { return key == format.key; });
  return found == kFormats.end() ? nullptr : found;
}

Expected<ClassList> readClassList(const std::string& path, const std::string& key) {
  const ClassListFormat* format = key.empty() ? nullptr : findClassListFormat(key);
  if (!key.empty() && format == nullptr) {
    return unknownListFormat(path, key);
  }
  auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  const ByteSpan bytes = (*file)->bytes();
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  text.remove_prefix(text.starts_with(kMark) ? kMark.size() : 0);
  for (const ClassListFormat& each : kFormats) {
    format = format == nullptr && each.recognise(text) ? &each : format;
  }
  if (format == nullptr) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: does not look like a list of classes (formats: {}); export the "
                            "classes in one of them",
                            path, keysOfFormats()));
  }
  auto list = format->read(text, path);
  if (const Status unchanged = (*file)->unchanged(); !unchanged) {
    return failWith(unchanged);
  }
  if (list && list->classes.empty()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: contains no class of whole images; check that it is a list of {}",
                            path, format->name));
  }
  return list;
}

Expected<std::vector<LabelNote>> writeClassList(std::span<const LabelClass> classes,
                                                const std::string& path, const std::string& key) {
  const ClassListFormat* const format = findClassListFormat(key);
  if (format == nullptr) {
    return unknownListFormat(path, key);
  }
  const std::vector<LabelClass> written = unmerged(classes);
  if (Status done = writeFileAtomically(path, format->write(written)); !done) {
    return failWith(done);
  }
  std::vector<LabelNote> notes;
  if (!format->keeps_keys) {
    addNote(notes, fmt::format("keys of classes, not kept by {}", format->name),
            std::ranges::count_if(written, [](const auto& each) { return !each.key.empty(); }));
  }
  LabelTable texts;
  texts.classes = written;
  noteTextsNotUtf8(texts, notes);
  return notes;
}

std::string labelStudioInterface(std::span<const LabelClass> classes) {
  pugi::xml_document document;
  pugi::xml_node view = document.append_child("View");
  pugi::xml_node image = view.append_child("Image");
  image.append_attribute("name") = "image";
  image.append_attribute("value") = "$image";
  pugi::xml_node choices = view.append_child("Choices");
  choices.append_attribute("name") = "choice";
  choices.append_attribute("toName") = "image";
  choices.append_attribute("choice") = "single";
  choices.append_attribute("showInLine") = "true";
  for (const LabelClass& each : unmerged(classes)) {
    pugi::xml_node choice = choices.append_child("Choice");
    choice.append_attribute("value") = xmlText(each.name).c_str();
    if (!each.key.empty()) {
      choice.append_attribute("hotkey") = xmlText(each.key).c_str();
    }
    if (!each.colour.empty()) {
      choice.append_attribute("background") = xmlText(each.colour).c_str();
    }
  }
  std::string text = textOfXml(document);
  // Label Studio takes the text of the interface without a declaration.
  if (const std::size_t start = text.find("<View"); start != std::string::npos) {
    text.erase(0, start);
  }
  return text;
}

Expected<ClassListChanges> applyClassList(LabelStore& store, std::span<const LabelClass> list,
                                          const std::string& annotator) {
  ClassListChanges result;
  std::vector<std::string> taken;
  for (const LabelClass& wanted : list) {
    auto classes = store.classes();
    if (!classes) {
      return failWith(classes);
    }
    const LabelClass* const known = findClass(*classes, std::string_view(wanted.name));
    const bool is_new = known == nullptr;
    auto present = is_new ? store.addClass(wanted.name, annotator) : Expected<LabelClass>(*known);
    if (!present) {
      return failWith(present);
    }
    if (is_new) {
      result.added.push_back(wanted.name);
    }
    LabelClass changed = *present;
    changed.colour = wanted.colour.empty() ? changed.colour : wanted.colour;
    const bool key_is_free = std::ranges::none_of(*classes, [&](const LabelClass& each) {
      return each.id != present->id && !each.merged_into && each.key == wanted.key;
    });
    if (!wanted.key.empty() && key_is_free) {
      changed.key = wanted.key;
    } else if (!wanted.key.empty()) {
      taken.push_back(fmt::format("{}: {}", wanted.name, wanted.key));
    }
    if (changed.colour == present->colour && changed.key == present->key) {
      continue;
    }
    if (Status done = store.changeClass(changed, annotator); !done) {
      return failWith(done);
    }
    if (!is_new) {
      result.changed.push_back(wanted.name);
    }
  }
  addNote(result.notes, "keys that another class has, left out", std::move(taken));
  return result;
}

}  // namespace dubito
