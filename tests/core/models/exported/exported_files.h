// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace dubito::test {

/// Path of a file of make_fixtures.py.
[[nodiscard]] std::string exportedFixture(const std::string& name);

/// Records of an archive by name, without its folder.
using Records = std::map<std::string, std::string>;

/// Writes the fixture with changed records to `path`.
void writeChanged(const std::string& fixture, const std::string& path,
                  const std::function<void(Records&)>& change);

/// Where the bytes of a record begin in the file.
[[nodiscard]] std::size_t recordOffset(const std::string& path, const std::string& record);

/// Writes the fixture with a changed program to `path`.
void writeChangedProgram(const std::string& fixture, const std::string& path,
                         const std::function<void(nlohmann::json&)>& change);

}  // namespace dubito::test
