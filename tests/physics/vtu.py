"""Reads the VTU frames that `marrow run` writes: appended arrays, packed by zlib or raw, behind an XML head."""
import re
import struct
import zlib
from array import array
from dataclasses import dataclass

_TYPES = {"Float64": "d", "Float32": "f", "Int64": "q", "Int32": "i", "UInt8": "B"}
_TAG = re.compile(r"<(/?\w+)([^>]*)>([^<]*)")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


@dataclass
class Frame:
    time: float
    points: list  # [(x, y, z)]
    body: list  # the body's number of each point
    data: dict  # of the points: name → list of numbers or of triples
    cells: list  # [(corner, …)]
    cell_data: dict

    def select(self, number):
        """The numbers of the points of a body."""
        return [i for i, owner in enumerate(self.body) if owner == number]

    def points_of(self, number):
        return [self.points[i] for i in self.select(number)]

    def velocities_of(self, number):
        return [self.data["velocity"][i] for i in self.select(number)]

    def cells_of(self, number):
        return [cell for cell in self.cells if self.body[cell[0]] == number]


def read(path):
    content = path.read_bytes()
    start = content.index(b"<AppendedData")
    data = content[content.index(b"_", start) + 1 :]
    section, arrays, time = "", {}, 0.0
    is_packed = b"compressor=" in content[:start]
    for name, text, following in _TAG.findall(content[:start].decode()):
        if name != "DataArray":
            section = name if not name.startswith("/") else section
            continue
        tag = dict(_ATTRIBUTE.findall(text))
        if section == "FieldData":
            time = float(following) if tag["Name"] == "TimeValue" else time
            continue
        arrays.setdefault(section, {})[tag["Name"]] = _values(data, tag, is_packed)
    points = next(iter(arrays["Points"].values()))
    cells, begin = [], 0
    for end in arrays["Cells"]["offsets"]:
        cells.append(tuple(arrays["Cells"]["connectivity"][begin:end]))
        begin = end
    return Frame(time, points, arrays["PointData"]["body"], arrays["PointData"], cells, arrays.get("CellData", {}))


def _block(data, offset, is_packed):
    if not is_packed:
        (length,) = struct.unpack_from("<Q", data, offset)
        return data[offset + 8 : offset + 8 + length]
    (count,) = struct.unpack_from("<Q", data, offset)
    sizes = struct.unpack_from(f"<{count}Q", data, offset + 24)
    start, chunks = offset + 24 + 8 * count, []
    for size in sizes:
        chunks.append(zlib.decompress(data[start : start + size]))
        start += size
    return b"".join(chunks)


def _values(data, tag, is_packed):
    numbers = array(_TYPES[tag["type"]])
    numbers.frombytes(_block(data, int(tag["offset"]), is_packed))
    width = int(tag.get("NumberOfComponents", 1))
    flat = numbers.tolist()
    return flat if width == 1 else [tuple(flat[i : i + width]) for i in range(0, len(flat), width)]
