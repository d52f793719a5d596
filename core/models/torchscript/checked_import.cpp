// SPDX-License-Identifier: GPL-3.0-or-later
#include <caffe2/serialize/inline_container.h>
#include <fmt/format.h>
#include <torch/csrc/jit/operator_upgraders/upgraders_entry.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import_source.h>
#include <torch/csrc/jit/serialization/unpickler.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "core/models/program/pickle_bytes.h"
#include "core/models/program/program_check_torch.h"
#include "core/models/program/record_tensors_torch.h"
#include "core/models/torchscript/checked_import_torch.h"

namespace dubito {

using caffe2::serialize::PyTorchStreamReader;
using torch::jit::CompilationUnit;
using torch::jit::Source;

namespace {

/// Record of the program text that defines names beginning with "__torch__.net.".
std::string recordOf(const std::string& qualifier) {
  std::string path = qualifier;
  std::ranges::replace(path, '.', '/');
  return "code/" + path + ".py";
}

/// Whether an object of the class is made by its methods instead of from its attributes.
bool hasStateMethods(const c10::ClassType& type) {
  return type.findMethod("__getstate__") != nullptr && type.findMethod("__setstate__") != nullptr;
}

/// What a method that made an object must have set.
void checkComplete(const c10::ivalue::Object& object, const c10::ClassType& type) {
  for (std::size_t i = 0; i < type.numAttributes(); ++i) {
    if (object.getSlot(i).isNone() && !c10::NoneType::get()->isSubtypeOf(*type.getAttribute(i))) {
      throw std::runtime_error(
          fmt::format("the attribute '{}' is not set", type.getAttributeName(i)));
    }
  }
}

/// One archive being imported.
class Import {
 public:
  explicit Import(const std::shared_ptr<PyTorchStreamReader>& archive)
      : archive_(archive),
        program_(std::make_shared<CompilationUnit>()),
        importer_(
            program_, &constants_,
            [this](const std::string& qualifier) { return readSource(qualifier); },
            archive->version()) {}

  torch::jit::Module network() {
    torch::jit::populate_upgraders_graph_map();  // for programs of older versions
    const c10::IValue constants = read("constants");
    tensors_.check(constants);
    for (const c10::IValue& constant : constants.toTupleRef().elements()) {
      constants_.push_back(constant);
    }
    c10::IValue object = read("data");
    check_.checkNew(*program_);
    return torch::jit::Module(object.toObject());
  }

 private:
  std::shared_ptr<Source> readSource(const std::string& qualifier) {
    const std::string record = recordOf(qualifier);
    if (!archive_->hasRecord(record)) {
      return nullptr;
    }
    auto [data, size] = archive_->getRecord(record);
    auto source = std::make_shared<Source>(std::string(static_cast<const char*>(data.get()), size),
                                           record, 1, nullptr);
    checkSource(source);
    return source;
  }

  /// The value pickled in "NAME.pkl", whose tensors are in the records "NAME/...".
  c10::IValue read(const std::string& name) {
    auto [pickle, size] = archive_->getRecord(name + ".pkl");
    torch::jit::Unpickler unpickler(
        bytesOf({static_cast<const char*>(pickle.get()), size}),
        [this](const c10::QualifiedName& type) { return resolve(type); },
        [this](const c10::StrongTypePtr& type, c10::IValue state) {
          return make(type, std::move(state));
        },
        [this, &name](const std::string& key) { return readBytes(name + "/" + key); },
        c10::Device(c10::kCPU));
    unpickler.set_version(archive_->version());
    return unpickler.parse_ivalue();
  }

  at::DataPtr readBytes(const std::string& record) {
    auto [data, size] = archive_->getRecord(record);
    tensors_.add(data, size);
    return std::move(data);
  }

  c10::StrongTypePtr resolve(const c10::QualifiedName& name) {
    c10::TypePtr type = importer_.loadType(name);
    checkClass(*type);
    return {program_, std::move(type)};
  }

  c10::intrusive_ptr<c10::ivalue::Object> make(const c10::StrongTypePtr& type, c10::IValue state) {
    const auto class_type = type.type_->expect<c10::ClassType>();
    const std::size_t count = class_type->numAttributes();
    auto object = c10::ivalue::Object::create(type, count);
    tensors_.check(state);
    if (hasStateMethods(*class_type)) {
      // Everything that the method could call has been compiled with it.
      check_.checkNew(*program_);
      // Not optimised, because the attributes whose values it would assume are still missing.
      const torch::jit::GraphOptimizerEnabledGuard unoptimised(false);
      class_type->getMethod("__setstate__")({object, std::move(state)});
      checkComplete(*object, *class_type);
    } else {
      const auto attributes = std::move(state).toGenericDict();
      for (std::size_t i = 0; i < count; ++i) {
        object->setSlot(i, attributes.at(class_type->getAttributeName(i)));
      }
    }
    return object;
  }

  std::shared_ptr<PyTorchStreamReader> archive_;
  std::shared_ptr<CompilationUnit> program_;
  std::vector<c10::IValue> constants_;
  RecordTensors tensors_;
  torch::jit::SourceImporter importer_;
  ProgramCheck check_;
};

}  // namespace

torch::jit::Module importChecked(const std::shared_ptr<PyTorchStreamReader>& archive) {
  return Import(archive).network();
}

void checkArchive(std::string_view bytes) {
  std::istringstream stream{std::string(bytes)};
  static_cast<void>(importChecked(std::make_shared<PyTorchStreamReader>(&stream)));
}

}  // namespace dubito
