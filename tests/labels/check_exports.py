#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports a small review in every format and lets the readers of other tools read it.

    python3 -m venv tools
    tools/bin/pip install label-studio-sdk fiftyone datumaro labelme pycocotools datasets pandas
    tools/bin/python tests/labels/check_exports.py

Prints a table: tool, format, whether it was read, how many items, and whether every image has the
label of the review. Tools that are not installed are listed as such. Ends with 1 if a tool refuses
an export or reads another label.
"""

import argparse
import contextlib
import importlib.metadata
import io
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

CLASSES = ["cat", 'dog, "big"', "a/b", "Kätzchen 猫", "7", "=SUM(A1)", "<b>&amp;</b>", "x" * 100]
FORMATS = {
    "csv": "labels.csv", "jsonl": "labels.jsonl", "folders": "folders", "labelme": "labelme",
    "label-studio": "tasks.json", "cvat": "annotations.xml", "fiftyone": "fiftyone/samples.json",
    "coco": "coco.json", "imagefolder": "metadata.jsonl",
}


class Refused(Exception):
    """A tool that read the file and objects to it."""


def png(width, height, value):
    rows = b"".join(b"\0" + bytes([value]) * width for _ in range(height))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
              (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks)


def make_review(cli, folder):
    """Images, and a label store with a label for each; returns {relative path: class}."""
    labels = {}
    for i in range(3 * len(CLASSES)):
        path = f"{['cat', 'sub dir', 'ä'][i % 3]}/{i:03}.png"
        labels[path] = CLASSES[i % len(CLASSES)]
        file = folder / "images" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(png(30 + i, 20, 8 * i % 256))
    lines = [json.dumps({"file_name": path, "label": name}) for path, name in labels.items()]
    (folder / "given.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    dubito(cli, "review", "import", folder / "a.labels", folder / "given.jsonl", "--dataset",
           f"folder:{folder / 'images'}", "--annotator", "ann")
    return labels


def dubito(cli, *arguments):
    done = subprocess.run([cli, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr}")


# --- Readers of the tools. Each returns {name of the image as the tool knows it: class}.


def by_label_studio_interface(folder):
    from label_studio_sdk.label_interface import LabelInterface

    interface = LabelInterface((folder / "tasks.config.xml").read_text(encoding="utf-8"))
    interface.validate()
    labels = {}
    for task in json.loads((folder / "tasks.json").read_text(encoding="utf-8")):
        if not interface.validate_task({"data": task["data"]}):
            raise Refused(f"task {task['data']}")
        for kind, check in (("annotations", interface.validate_annotation),
                            ("predictions", interface.validate_prediction)):
            for answer in task[kind]:
                if not check(answer):
                    raise Refused(f"{kind} of {task['data']['image']}")
                labels[task["data"]["image"]] = answer["result"][0]["value"]["choices"][0]
    return labels


def by_label_studio_converter(folder):
    from label_studio_sdk.converter import Converter

    converter = Converter(str(folder / "tasks.config.xml"), str(folder), download_resources=False)
    converter.convert_to_json_min(str(folder / "tasks.json"), str(folder / "min"), is_dir=False)
    tasks = json.loads((folder / "min" / "result.json").read_text(encoding="utf-8"))
    return {task["image"]: task["choice"] for task in tasks if "choice" in task}


def by_fiftyone(folder):
    import fiftyone.utils.data as foud

    importer = foud.FiftyOneDatasetImporter(str(folder / "fiftyone"))
    if importer._is_legacy_format_data():  # a samples.json without the database's metadata
        importer = importer._to_legacy_importer()
    importer.setup()
    labels = {}
    for sample in importer:
        if not os.path.isfile(sample.filepath):
            raise Refused(f"{sample.filepath}: no such image")
        labels[sample.filepath] = sample["ground_truth"].label
    return labels


def by_fiftyone_folders(folder):
    import fiftyone.utils.data as foud

    importer = foud.ImageClassificationDirectoryTreeImporter(str(folder / "folders"))
    importer.setup()
    return {path: label.label for path, _, label in importer}


def by_datumaro(name, place):
    def read(folder):
        import datumaro
        from datumaro.components.annotation import AnnotationType

        dataset = datumaro.Dataset.import_from(str(folder / place), name)
        categories = dataset.categories()[AnnotationType.label]
        labels = {}
        for item in dataset:
            found = [a for a in item.annotations if a.type == AnnotationType.label]
            if len(found) != 1:
                raise Refused(f"{item.id} has {len(found)} labels")
            # Of class folders, the id begins with the class.
            labels[item.id.rpartition(":")[2] + ".png"] = categories[found[0].label].name
            if name == "cvat" and item.media is not None and item.media.size is None:
                raise Refused(f"{item.id} has no size")
        return labels
    return read


def by_labelme(folder):
    from labelme._label_file import read_label_file
    from loguru import logger

    logger.remove()  # a line per image
    labels = {}
    for file in sorted((folder / "labelme").rglob("*.json")):
        data = read_label_file(str(file))
        if not data.image_data:
            raise Refused(f"{file}: no image")
        chosen = [name for name, value in data.flags.items() if value]
        if len(chosen) != 1:
            raise Refused(f"{file}: {len(chosen)} flags")
        labels[str(file.with_suffix(".png").relative_to(folder / "labelme"))] = chosen[0]
    return labels


def by_pycocotools(folder):
    from pycocotools.coco import COCO

    coco = COCO(str(folder / "coco.json"))
    labels = {}
    for image in coco.loadImgs(coco.getImgIds()):
        found = coco.loadAnns(coco.getAnnIds(imgIds=[image["id"]]))
        if len(found) != 1 or not image["width"] or not image["height"]:
            raise Refused(f"{image['file_name']}: {len(found)} labels")
        labels[image["file_name"]] = coco.loadCats([found[0]["category_id"]])[0]["name"]
    return labels


def by_datasets(folder):
    import shutil

    import datasets

    place = folder / "hf"
    shutil.copytree(folder / "images", place)
    shutil.copy(folder / "metadata.jsonl", place / "metadata.jsonl")
    dataset = datasets.load_dataset("imagefolder", data_dir=str(place), split="train",
                                    cache_dir=str(folder / "cache"))
    dataset = dataset.cast_column("image", datasets.Image(decode=False))
    return {row["image"]["path"]: row["label"] for row in dataset}


def by_datasets_folders(folder):
    import datasets

    dataset = datasets.load_dataset("imagefolder", data_dir=str(folder / "folders"), split="train",
                                    cache_dir=str(folder / "cache2"))
    names = dataset.features["label"].names
    dataset = dataset.cast_column("image", datasets.Image(decode=False))
    return {row["image"]["path"]: names[row["label"]] for row in dataset}


def by_pandas(folder):
    import pandas

    table = pandas.read_csv(folder / "labels.csv", dtype=str)
    # A class that a spreadsheet would take for a formula has an apostrophe before it.
    return {row.path: row.label[1:] if row.label.startswith("'=") else row.label
            for row in table.itertuples()}


def by_json(folder):
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    return {row["path"]: row["class"] for row in map(json.loads, lines) if row["present"]}


CHECKS = [
    ("Label Studio, interface", "label-studio-sdk", "label-studio", by_label_studio_interface),
    ("Label Studio, converter", "label-studio-sdk", "label-studio", by_label_studio_converter),
    ("FiftyOne", "fiftyone", "fiftyone", by_fiftyone),
    ("FiftyOne, class folders", "fiftyone", "folders", by_fiftyone_folders),
    ("Datumaro (CVAT)", "datumaro", "cvat", by_datumaro("cvat", "annotations.xml")),
    ("Datumaro, class folders", "datumaro", "folders", by_datumaro("imagenet", "folders")),
    ("labelme", "labelme", "labelme", by_labelme),
    ("pycocotools", "pycocotools", "coco", by_pycocotools),
    ("Hugging Face datasets", "datasets", "imagefolder", by_datasets),
    ("Hugging Face datasets", "datasets", "folders", by_datasets_folders),
    ("pandas", "pandas", "csv", by_pandas),
    ("Python, json", None, "jsonl", by_json),
]


def decoded(name):
    """The relative path in the name that a tool has for an image."""
    from urllib.parse import unquote

    name = str(name).split("?d=")[-1]
    return unquote(name).replace("\\", "/")


def equal(found, expected, format_key):
    """Whether each image has its label. Class names of folders are encoded as names of files."""
    labels = {}
    for name, label in found.items():
        path = decoded(name)
        known = [each for each in expected if path == each or path.endswith("/" + each)]
        if len(known) != 1:
            return f"which image is {name}?"
        labels[known[0]] = decoded(label) if format_key == "folders" else label
    wrong = [path for path in expected if labels.get(path) != expected[path]]
    return f"{len(wrong)} differ, such as {wrong[0]}: {labels.get(wrong[0])!r}" if wrong else "yes"


def main():
    os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", default="build/release/bin/dubito-cli", help="path of dubito-cli")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the files; by default removed")
    arguments = parser.parse_args()
    failed = False
    rows = [("tool", "version", "format", "read", "items", "labels equal")]
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        expected = make_review(arguments.cli, folder)
        for key, place in FORMATS.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            dubito(arguments.cli, "review", "export", folder / "a.labels", "--format", key, "-o",
                   folder / place)
        for tool, package, key, read in CHECKS:
            try:
                version = importlib.metadata.version(package) if package else sys.version.split()[0]
            except importlib.metadata.PackageNotFoundError:
                rows.append((tool, "not installed", key, "", "", ""))
                continue
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    found = read(folder)
                same = equal(found, expected, key)
                rows.append((tool, version, key, "yes", str(len(found)), same))
                failed |= same != "yes" or len(found) != len(expected)
            except Exception as error:  # of any tool
                reason = f"{type(error).__name__}: {error}".splitlines()[0][:100]
                rows.append((tool, version, key, f"no ({reason})", "", ""))
                failed = True
    for i, row in enumerate(rows):
        print("| " + " | ".join(row) + " |")
        if i == 0:
            print("|" + " --- |" * len(row))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
