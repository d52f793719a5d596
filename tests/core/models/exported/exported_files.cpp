// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/models/exported/exported_files.h"

#include <caffe2/serialize/inline_container.h>

#include "tests/support/shared_data.h"

namespace dubito::test {

std::string exportedFixture(const std::string& name) {
  return (sourceDir() / "tests/data/models/exported" / (name + ".pt2")).string();
}

void writeChanged(const std::string& fixture, const std::string& path,
                  const std::function<void(Records&)>& change) {
  caffe2::serialize::PyTorchStreamReader reader(exportedFixture(fixture));
  Records records;
  for (const std::string& name : reader.getAllRecords()) {
    auto [data, size] = reader.getRecord(name);
    records[name] = std::string(static_cast<const char*>(data.get()), size);
  }
  change(records);
  caffe2::serialize::PyTorchStreamWriter writer(path);
  for (const auto& [name, data] : records) {
    if (name != "byteorder" && !name.starts_with(".data/")) {
      writer.writeRecord(name, data.data(), data.size());
    }
  }
  writer.writeEndOfFile();
}

std::size_t recordOffset(const std::string& path, const std::string& record) {
  caffe2::serialize::PyTorchStreamReader reader(path);
  return reader.getRecordOffset(record);
}

void writeChangedProgram(const std::string& fixture, const std::string& path,
                         const std::function<void(nlohmann::json&)>& change) {
  writeChanged(fixture, path, [&change](Records& records) {
    std::string& text = records.at("models/model.json");
    nlohmann::json program = nlohmann::json::parse(text);
    change(program);
    text = program.dump();
  });
}

}  // namespace dubito::test
