// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/hostile/network_archive.h"

#include "tests/core/io/zip_builder.h"

namespace dubito::test {

using namespace std::string_literals;

std::string pickledObject(const std::string& class_name, const std::string& state) {
  const std::size_t dot = class_name.rfind('.');
  return "\x80\x02"s + "c" + class_name.substr(0, dot) + "\n" + class_name.substr(dot + 1) +
         "\n)\x81" + state + "b.";
}

std::string buildArchive(const NetworkArchive& network) {
  const std::string code = network.before +
                           "class Net(Module):\n"
                           "  __parameters__ = []\n"
                           "  __buffers__ = []\n"
                           "  training : bool\n" +
                           network.program;
  const std::string data =
      network.data.empty() ? pickledObject("__torch__.Net", "}X\x08\x00\x00\x00"s + "training\x89s")
                           : network.data;
  std::vector<ZipSpec> entries{
      {.name = "net/data.pkl", .data = data, .deflate = false},
      {.name = "net/code/__torch__.py", .data = code, .deflate = false},
      {.name = "net/constants.pkl", .data = network.constants, .deflate = false},
      {.name = "net/version", .data = "3\n", .deflate = false}};
  for (const auto& [path, text] : network.files) {
    entries.push_back({.name = "net/code/" + path, .data = text, .deflate = false});
  }
  for (const auto& [path, bytes] : network.records) {
    entries.push_back({.name = "net/" + path, .data = bytes, .deflate = false});
  }
  return buildZip(entries);
}

}  // namespace dubito::test
