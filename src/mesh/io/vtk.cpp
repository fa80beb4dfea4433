// Reads legacy VTK files, ASCII or binary (big-endian), POLYDATA and UNSTRUCTURED_GRID, in the layout up to
// version 4 and in that of version 5 (OFFSETS and CONNECTIVITY). Point and cell data, which follow the cells,
// are not read. Quadratic and Lagrange curves, triangles and tets are read only by those who take curved
// tets.
#include <fmt/format.h>

#include <cctype>

#include "mesh/io/byte_reader.h"
#include "mesh/io/mesh_formats.h"
#include "mesh/io/text_scanner.h"
#include "mesh/io/vtk_cells.h"

namespace marrow {
namespace {

// Cells as lists of points: those of cell i are connectivity[offsets[i] … offsets[i + 1]).
struct CellLists {
  std::vector<std::int64_t> offsets = {0};
  std::vector<Index> connectivity = {};
  size_t count() const { return offsets.size() - 1; }
};

size_t type_bytes(std::string_view type) {
  if (type == "bit" || type == "char" || type == "unsigned_char" || type == "string") return 1;
  if (type == "short" || type == "unsigned_short") return 2;
  if (type == "int" || type == "unsigned_int" || type == "float" || type == "vtkIdType" ||
      type == "vtktypeint32") {
    return 4;
  }
  return 8;
}

class VtkParser {
 public:
  // curved: takes the curved simplices; null: they are refused.
  VtkParser(std::string_view bytes, const std::string& name, CurvedSimplices* curved)
      : bytes_(bytes),
        scan_(bytes, name),
        reader_(curved, [this](const auto& problem, const auto& advice) { scan_.fail(problem, advice); }) {}

  Mesh parse() {
    parse_header();
    for (std::string word = upper(scan_.next_word()); !word.empty(); word = upper(scan_.next_word())) {
      if (word == "POINT_DATA" || word == "CELL_DATA") break;
      parse_section(word);
    }
    if (cells_.count() != types_.size()) {
      scan_.fail(fmt::format("{} cells but {} cell types", cells_.count(), types_.size()));
    }
    for (size_t i = 0; i < cells_.count(); ++i) add_checked_cell(i);
    return finish_mesh(std::move(mesh_), scan_.name(), polygons_);
  }

 private:
  static std::string upper(std::string_view word) {
    std::string text(word.substr(0, 32));
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
  }

  void parse_header() {
    if (scan_.take_line().substr(0, 22) != "# vtk DataFile Version") {
      scan_.fail("a VTK file starts with '# vtk DataFile Version'",
                 "Only the legacy format is supported; export .vtk, not .vtu or .vtp.");
    }
    scan_.skip_line();  // the title
    const std::string encoding = upper(scan_.next_word());
    if (encoding != "ASCII" && encoding != "BINARY") scan_.fail("ASCII or BINARY is expected here");
    is_binary_ = encoding == "BINARY";
    if (is_binary_) scan_.report_bytes();
    if (upper(scan_.next_word()) != "DATASET") scan_.fail("DATASET is expected here");
    const std::string dataset = upper(scan_.next_word());
    if (dataset != "POLYDATA" && dataset != "UNSTRUCTURED_GRID") {
      scan_.fail("only POLYDATA and UNSTRUCTURED_GRID are supported",
                 "Convert the data set, for example with ParaView.");
    }
  }

  void parse_section(const std::string& keyword) {
    if (keyword == "POINTS") {
      parse_points();
    } else if (keyword == "CELLS") {
      parse_cells(cells_);
    } else if (keyword == "CELL_TYPES") {
      parse_cell_types();
    } else if (keyword == "VERTICES") {
      parse_polydata(kVtkPolyVertex);
    } else if (keyword == "LINES") {
      parse_polydata(kVtkPolyLine);
    } else if (keyword == "POLYGONS") {
      parse_polydata(kVtkPolygon);
    } else if (keyword == "TRIANGLE_STRIPS") {
      parse_polydata(kVtkTriangleStrip);
    } else if (keyword == "FIELD") {
      skip_field();
    } else if (keyword == "METADATA") {
      scan_.skip_line();
      while (!scan_.take_line().empty()) {
      }
    } else {
      scan_.fail("this is not a known section of a VTK file");
    }
  }

  // Calls read with the scanner, or in a binary file with a reader of the bytes after this line.
  template <class Read>
  void with_source(const Read& read) {
    if (!is_binary_) {
      read(scan_);
      return;
    }
    scan_.skip_line();
    ByteReader reader(bytes_, scan_.name(), std::endian::big, scan_.position());
    read(reader);
    scan_.move_to(reader.position());
  }

  std::int64_t parse_count(const char* what) {
    return check_count(scan_, scan_.read_on_line<std::int64_t>("a count"), what);
  }

  void parse_points() {
    const std::int64_t count = parse_count("points");
    const std::string_view type = scan_.word_on_line();
    if (type != "float" && type != "double") scan_.fail("points must be float or double");
    with_source([&](auto& source) {
      type == "float" ? read_points<float>(source, count) : read_points<double>(source, count);
    });
  }

  template <class T, class Source>
  void read_points(Source& source, std::int64_t count) {
    // Decimal digits are read to full precision whatever the file calls them.
    using Value = std::conditional_t<std::is_same_v<Source, TextScanner>, double, T>;
    source.require_room(count, 3, 3 * sizeof(T), "points");
    mesh_.points.resize(static_cast<size_t>(count));
    for (Vec3& p : mesh_.points) {
      for (int i = 0; i < 3; ++i)
        p[i] = check_finite(source, source.template read<Value>("a coordinate"), "the coordinate");
    }
  }

  template <class Source>
  Index read_index(Source& source, std::int64_t cell, std::int64_t index) {
    return to_index(source, "cell", cell, index, {0, static_cast<std::int64_t>(mesh_.points.size())});
  }

  // Either layout; the second number of the line and its meaning differ.
  void parse_cells(CellLists& cells) {
    const std::int64_t first = parse_count("cells");
    const std::int64_t second = parse_count("cell entries");
    const size_t start = scan_.position();
    scan_.skip_line();
    if (scan_.next_word() == "OFFSETS") {
      parse_offset_layout(first, second, cells);
      return;
    }
    scan_.move_to(start);
    with_source([&](auto& source) { read_counted_layout(source, first, second, cells); });
  }

  // Each cell: its number of points, then the points.
  template <class Source>
  void read_counted_layout(Source& source, std::int64_t count, std::int64_t entries, CellLists& cells) {
    source.require_room(entries, 1, sizeof(std::int32_t), "cell entries");
    if (count > entries) source.fail(fmt::format("{} cells cannot have {} entries", count, entries));
    cells.connectivity.reserve(cells.connectivity.size() + static_cast<size_t>(entries - count));
    std::int64_t left = entries - count;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t size = source.template read<std::int32_t>("a number of points");
      if (size < 0 || size > left) {
        source.fail(fmt::format("cell {} claims {} points, but {} entries are left", i, size, left));
      }
      left -= size;
      for (std::int64_t j = 0; j < size; ++j) {
        cells.connectivity.push_back(
            read_index(source, i, source.template read<std::int32_t>("a point number")));
      }
      cells.offsets.push_back(static_cast<std::int64_t>(cells.connectivity.size()));
    }
    if (left != 0) source.fail(fmt::format("{} entries are left after the last cell", left));
  }

  // After the word OFFSETS.
  void parse_offset_layout(std::int64_t offset_count, std::int64_t entries, CellLists& cells) {
    std::vector<std::int64_t> offsets;
    parse_integers(offset_count, [&](auto& source, std::int64_t value) {
      const std::int64_t least = offsets.empty() ? 0 : offsets.back();
      if (value < least || value > entries || (offsets.empty() && value != 0)) {
        source.fail(fmt::format("the offset {} is out of order", value));
      }
      offsets.push_back(value);
    });
    if (scan_.next_word() != "CONNECTIVITY") scan_.fail("CONNECTIVITY is expected here");
    const auto before = static_cast<std::int64_t>(cells.connectivity.size());
    size_t cell = 0;
    std::int64_t read = 0;
    parse_integers(entries, [&](auto& source, std::int64_t value) {
      while (cell + 1 < offsets.size() && read >= offsets[cell + 1]) ++cell;
      cells.connectivity.push_back(read_index(source, static_cast<std::int64_t>(cell), value));
      ++read;
    });
    if (!offsets.empty() && offsets.back() != entries)
      scan_.fail("the last offset is not the number of entries");
    for (size_t i = 1; i < offsets.size(); ++i) cells.offsets.push_back(before + offsets[i]);
  }

  // Reads count integers of the type that the line names.
  template <class Visit>
  void parse_integers(std::int64_t count, const Visit& visit) {
    const size_t size = type_bytes(scan_.word_on_line());
    with_source([&](auto& source) {
      source.require_room(count, 1, size, "integers");
      for (std::int64_t i = 0; i < count; ++i) {
        visit(source, size == 8 ? source.template read<std::int64_t>("an integer")
                                : source.template read<std::int32_t>("an integer"));
      }
    });
  }

  void parse_cell_types() {
    const std::int64_t count = parse_count("cell types");
    with_source([&](auto& source) {
      source.require_room(count, 1, sizeof(std::int32_t), "cell types");
      types_.resize(static_cast<size_t>(count));
      for (int& type : types_) type = source.template read<std::int32_t>("a cell type");
    });
  }

  void parse_polydata(int type) {
    parse_cells(cells_);
    types_.resize(cells_.count(), type);
  }

  void add_checked_cell(size_t i) {
    const std::span<const Index> v{cells_.connectivity.data() + cells_.offsets[i],
                                   cells_.connectivity.data() + cells_.offsets[i + 1]};
    reader_.add(i, types_[i], v, mesh_, polygons_);
  }

  // FIELD name n, then n arrays: name components tuples type, values.
  void skip_field() {
    scan_.word_on_line();
    const std::int64_t arrays = parse_count("arrays");
    scan_.require_room(arrays, 4, 8, "arrays");
    for (std::int64_t i = 0; i < arrays; ++i) {
      scan_.next_word();
      const std::int64_t components = parse_count("components");
      const std::int64_t tuples = parse_count("tuples");
      const size_t size = type_bytes(scan_.word_on_line());
      with_source([&](auto& source) {
        source.require_room(components * tuples, 1, size, "values");
        for (std::int64_t j = 0; j < components * tuples; ++j) {
          size == 1   ? source.template skip<std::int8_t>("a value")
          : size == 2 ? source.template skip<std::int16_t>("a value")
          : size == 4 ? source.template skip<std::int32_t>("a value")
                      : source.template skip<std::int64_t>("a value");
        }
      });
    }
  }

  std::string_view bytes_;
  TextScanner scan_;
  VtkCells reader_;
  bool is_binary_ = false;
  CellLists cells_;
  std::vector<int> types_;
  Mesh mesh_;
  Polygons polygons_;
};

}  // namespace

Mesh parse_vtk(std::string_view bytes, const std::string& name) {
  return VtkParser(bytes, name, nullptr).parse();
}

CurvedFile parse_curved_vtk(std::string_view bytes, const std::string& name) {
  CurvedSimplices curved;
  Mesh mesh = VtkParser(bytes, name, &curved).parse();
  return curved.finish(std::move(mesh), name);
}

}  // namespace marrow
