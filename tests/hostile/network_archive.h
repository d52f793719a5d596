// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito::test {

/// A TorchScript archive written by hand, as an attacker would: torch checks none of it on saving.
struct NetworkArchive {
  /// Text of code/__torch__.py after `class Net(Module)` with its attribute `training`: methods of
  /// the network, indented by two spaces, then further classes and functions.
  std::string program = {};
  /// Text before `class Net`: classes and functions that its declarations name.
  std::string before = {};
  /// Further files of program text, by path below code/.
  std::vector<std::pair<std::string, std::string>> files = {};
  /// Pickled constants, the tuple that CONSTANTS.c0, ... stand for.
  std::string constants = "\x80\x02).";
  /// Pickled network; empty: an object of Net with training = False.
  std::string data = {};
  /// Records of tensors, by path.
  std::vector<std::pair<std::string, std::string>> records = {};
};

/// The bytes of the archive.
[[nodiscard]] std::string buildArchive(const NetworkArchive& network);

/// An object of a class with the pickled value `state`, for NetworkArchive::data.
[[nodiscard]] std::string pickledObject(const std::string& class_name, const std::string& state);

}  // namespace dubito::test
