// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dubito {

/// Something that the user can set, as data: the command line shows it as a flag, the window as the
/// label of a form. No text of core contains a flag.
struct Setting {
  enum class Place {
    kOption,    ///< the field of an options struct, or a part of a request, of that name
    kDataset,   ///< an option of a dataset specification: items, classes, role
    kMetadata,  ///< a key of the metadata file of a network
    kWords,     ///< not a setting of one place; `value` says it in words
  };
  /// In snake_case, as FieldInfo::name; empty for kWords.
  std::string name;
  /// The value to set, or words for values ("above 1"); empty: any, or a switch.
  std::string value = {};
  Place place = Place::kOption;
  /// To be left out instead.
  bool omitted = false;

  friend bool operator==(const Setting&, const Setting&) = default;
};

/// The option `name`, set to `value`.
[[nodiscard]] inline Setting setting(std::string name, std::string value = {}) {
  return {std::move(name), std::move(value)};
}

/// The option `name`, to be left out.
[[nodiscard]] inline Setting omitted(std::string name) {
  return {std::move(name), {}, Setting::Place::kOption, true};
}

/// The option `name` of a dataset specification.
[[nodiscard]] inline Setting datasetSetting(std::string name, std::string value = {}) {
  return {std::move(name), std::move(value), Setting::Place::kDataset};
}

/// The key `name` of the metadata of a network.
[[nodiscard]] inline Setting metadataSetting(std::string name, std::string value = {}) {
  return {std::move(name), std::move(value), Setting::Place::kMetadata};
}

/// What is needed, in words.
[[nodiscard]] inline Setting neededWords(std::string words) {
  return {{}, std::move(words), Setting::Place::kWords};
}

/// What another option needs in order to have an effect: all settings, or one of them. Empty: it
/// has an effect.
struct Requirement {
  std::vector<Setting> settings;
  bool one_is_enough = false;

  [[nodiscard]] bool empty() const { return settings.empty(); }
  friend bool operator==(const Requirement&, const Requirement&) = default;
};

/// All `settings`, unless `met`.
[[nodiscard]] inline Requirement allUnless(bool met, std::vector<Setting> settings) {
  return met ? Requirement() : Requirement{std::move(settings), false};
}

/// One of `settings`, unless `met`.
[[nodiscard]] inline Requirement oneUnless(bool met, std::vector<Setting> settings) {
  return met ? Requirement() : Requirement{std::move(settings), true};
}

/// One of several tensors that a network returns, for the user to choose from.
struct OutputOption {
  std::string name;            ///< see OutputTensor::name
  std::string shape;           ///< e.g. "N, 10", where N is the batch size
  bool can_be_scores = false;  ///< whether the shape is [N, classes], as that of class scores

  friend bool operator==(const OutputOption&, const OutputOption&) = default;
};

/// What removes the cause of an error, as data. The message says it in words.
struct Remedy {
  /// Settings that the message speaks of, in the order of its words.
  std::vector<Setting> settings = {};
  /// Lines of a program to copy.
  std::string lines = {};
  /// Tensors of the network, one of which is to be chosen as the class scores.
  std::vector<OutputOption> outputs = {};
  /// The labels were read, but their images were not found: a folder is to be chosen.
  bool needs_images = false;
  /// The input size of the network is to be set, because images have several sizes.
  bool needs_input_size = false;

  friend bool operator==(const Remedy&, const Remedy&) = default;
};

}  // namespace dubito
