#include "run/transfer_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>

#include "core/error.h"
#include "core/text.h"
#include "exact/predicates.h"
#include "mesh/io/mesh_file.h"
#include "mesh/mesh_check.h"
#include "mesh/surface.h"
#include "output/vtk/vtu.h"
#include "run/output_file.h"

namespace marrow {
namespace {

size_t at(Index i) { return static_cast<size_t>(i); }
Index row(size_t i) { return static_cast<Index>(i); }

bool is_frame(const std::string& path) { return std::filesystem::path(path).extension() == ".vtu"; }

[[noreturn]] void fail(const std::string& path, const std::string& problem, const std::string& advice) {
  throw InputError({path, 0, 0, {}}, problem, advice);
}

// A body of a frame by itself.
struct FrameBody {
  Mesh mesh;
  std::vector<Index> points;  // of the frame
  std::vector<Index> cells;   // of the frame: tets first, then triangles
};

const VtuFrame::Data* find_data(const std::vector<VtuFrame::Data>& list, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& data) { return data.name == name; });
  return found == list.end() ? nullptr : &*found;
}

class BodyCutter {
 public:
  BodyCutter(const VtuFrame& frame, std::string path) : frame_(frame), path_(std::move(path)) {
    if (const VtuFrame::Data* data = find_data(frame.cell_data, "body")) {
      for (const double value : data->values) body_of_cell_.push_back(static_cast<Index>(value));
    }
    body_of_cell_.resize(frame.tets.size() + frame.triangles.size() + frame.edges.size() +
                         frame.vertices.size());
  }

  FrameBody cut(std::optional<Index> wanted) const {
    const Index chosen = choose(wanted);
    FrameBody body;
    for (size_t t = 0; t < frame_.tets.size(); ++t) {
      if (body_of_cell_[t] != chosen) continue;
      body.mesh.tets.push_back(frame_.tets[t]);
      body.cells.push_back(row(t));
    }
    for (size_t t = 0; body.mesh.tets.empty() && t < frame_.triangles.size(); ++t) {
      if (body_of_cell_[frame_.tets.size() + t] == chosen) add_triangle(t, body);
    }
    number_points(body);
    return body;
  }

 private:
  void add_triangle(size_t t, FrameBody& body) const {
    body.mesh.triangles.push_back(frame_.triangles[t]);
    body.cells.push_back(row(frame_.tets.size() + t));
  }

  // The points that are used, in the order of the frame, which is that of the body's mesh.
  void number_points(FrameBody& body) const {
    std::vector<Index> number(frame_.points.size(), kNone);
    const auto for_each_corner = [&](const auto& visit) {
      for (Tet& tet : body.mesh.tets) std::for_each(tet.begin(), tet.end(), visit);
      for (Triangle& triangle : body.mesh.triangles) std::for_each(triangle.begin(), triangle.end(), visit);
    };
    for_each_corner([&](Index corner) { number[at(corner)] = 0; });
    for (size_t p = 0; p < number.size(); ++p) {
      if (number[p] == kNone) continue;
      number[p] = row(body.points.size());
      body.points.push_back(row(p));
      body.mesh.points.push_back(frame_.points[p]);
    }
    for_each_corner([&](Index& corner) { corner = number[at(corner)]; });
  }

  Index choose(std::optional<Index> wanted) const {
    std::set<Index> with_tets, with_triangles;
    for (size_t c = 0; c < frame_.tets.size() + frame_.triangles.size(); ++c) {
      (c < frame_.tets.size() ? with_tets : with_triangles).insert(body_of_cell_[c]);
    }
    const std::set<Index>& bodies = with_tets.empty() ? with_triangles : with_tets;
    std::string list;
    for (const Index body : bodies) list += fmt::format("{}{}", list.empty() ? "" : ", ", body);
    if (bodies.empty())
      fail(path_, "the frame has neither tets nor triangles", "Fields are carried by elements.");
    if (wanted) {
      if (bodies.contains(*wanted) || with_triangles.contains(*wanted)) return *wanted;
      fail(path_, fmt::format("body {} has no elements here", *wanted),
           "Bodies with elements: " + list + ".");
    }
    if (bodies.size() > 1) {
      fail(path_, fmt::format("{} bodies have elements", bodies.size()),
           "Choose one with --body, counted from 0 in the order of the scene: " + list + ".");
    }
    return *bodies.begin();
  }

  const VtuFrame& frame_;
  std::string path_;
  std::vector<Index> body_of_cell_;
};

// Tets, or triangles in a plane z = const.
void check_elements(const Mesh& mesh, const std::string& path) {
  check_mesh(mesh, path);
  if (!mesh.tets.empty()) return check_tets(mesh, path);
  if (mesh.triangles.empty())
    fail(path, "the mesh has no tets and no triangles", "Fields are carried by elements.");
  const double z = mesh.points[at(mesh.triangles[0][0])].z();
  for (const Triangle& triangle : mesh.triangles) {
    for (const Index corner : triangle) {
      if (mesh.points[at(corner)].z() == z) continue;
      fail(path, "the triangles do not lie in one plane z = constant",
           "Surfaces in space have no common refinement. Give a mesh with tets.");
    }
    if (orient2_sign(2, mesh.points[at(triangle[0])], mesh.points[at(triangle[1])],
                     mesh.points[at(triangle[2])]) == 0) {
      fail(path, "a triangle has no area", "Remove it: `marrow prepare repair` does.");
    }
  }
}

// Names of bodies are no fields, and forces on points are sums over parts of a surface, which no mesh but its
// own has.
bool is_field(const VtuFrame::Data& data) { return data.name != "body" && data.name != "contact_force"; }

// Fields side by side in a matrix.
struct FieldColumns {
  std::string name;
  int components = 1;
};

struct Columns {
  std::vector<FieldColumns> fields;
  MatX values;
};

Columns gather(const std::vector<VtuFrame::Data>& data, const std::vector<Index>& rows, int extra) {
  Columns columns;
  int width = extra;
  for (const VtuFrame::Data& field : data) {
    if (!is_field(field)) continue;
    columns.fields.push_back({field.name, field.components});
    width += field.components;
  }
  columns.values = MatX::Zero(row(rows.size()), width);
  int column = extra;
  for (const VtuFrame::Data& field : data) {
    if (!is_field(field)) continue;
    for (size_t i = 0; i < rows.size(); ++i) {
      for (int c = 0; c < field.components; ++c) {
        columns.values(row(i), column + c) = field.values[at(rows[i]) * at(field.components) + at(c)];
      }
    }
    column += field.components;
  }
  return columns;
}

// The places of the frame's body before it moved.
Points read_rest(const FrameTransfer& work, const FrameBody& body) {
  const std::string advice =
      "Give the frame before the first step, or the mesh that the scene names, if the scene did not move it.";
  Mesh rest;
  if (is_frame(work.rest)) {
    const VtuFrame frame = read_vtu(work.rest);
    rest = BodyCutter(frame, work.rest).cut(work.body).mesh;
  } else {
    rest = read_mesh(work.rest);
  }
  if (rest.points.size() != body.mesh.points.size() || rest.tets.size() != body.mesh.tets.size()) {
    fail(work.rest,
         fmt::format("{} points and {} tets, but the frame's body has {} and {}", rest.points.size(),
                     rest.tets.size(), body.mesh.points.size(), body.mesh.tets.size()),
         advice);
  }
  if (rest.tets != body.mesh.tets) fail(work.rest, "its tets differ from those of the frame's body", advice);
  return rest.points;
}

std::vector<Index> find_inverted(const Mesh& mesh, const Points& points) {
  std::vector<Index> inverted;
  const auto place = [&](Index i) -> const Vec3& { return points[at(i)]; };
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    const Tet& k = mesh.tets[t];
    if (orient3_sign(place(k[0]), place(k[1]), place(k[2]), place(k[3])) <= 0) inverted.push_back(row(t));
  }
  return inverted;
}

// What a frame of the new mesh shows; keeps the numbers that Frame only points to.
class NewFrame {
 public:
  NewFrame(const Mesh& mesh, Points points) : points_(std::move(points)) {
    topology_.bodies.push_back({.name = "transferred", .kind = "soft", .point_count = row(points_.size())});
    topology_.tets = mesh.tets;
    topology_.triangles = mesh.tets.empty() ? mesh.triangles : extract_surface(mesh.tets);
    frame_.points = points_;
  }

  void add_nodal(const std::vector<FieldColumns>& fields, const MatX& values, Index first) {
    for (const FieldColumns& field : fields) {
      if (field.components == 3) {
        std::vector<Vec3>& list = vectors_.emplace_back();
        for (Index i = 0; i < values.rows(); ++i) list.emplace_back(values.block<1, 3>(i, first).transpose());
        frame_.point_vectors.push_back({field.name, list});
      } else {
        for (int c = 0; c < field.components; ++c) {
          frame_.point_scalars.push_back({name_of(field, c), add_scalar(values.col(first + c))});
        }
      }
      first += field.components;
    }
  }

  void add_cells(const std::vector<FieldColumns>& fields, const MatX& values) {
    Index column = 0;
    for (const FieldColumns& field : fields) {
      for (int c = 0; c < field.components; ++c) {
        frame_.tet_scalars.push_back({name_of(field, c), add_scalar(values.col(column++))});
      }
    }
  }

  void write(const std::string& path, int step, double time) {
    frame_.step = step;
    frame_.time = time;
    write_vtu(path, topology_, frame_, VtuNumbers::Double);
  }

  static std::string name_of(const FieldColumns& field, int c) {
    return field.components == 1 ? field.name : fmt::format("{}_{}", field.name, c);
  }

 private:
  std::span<const double> add_scalar(const VecX& values) {
    return scalars_.emplace_back(values.data(), values.data() + values.size());
  }

  Points points_;
  OutputTopology topology_;
  Frame frame_;
  std::deque<std::vector<Vec3>> vectors_;
  std::deque<std::vector<double>> scalars_;
};

std::vector<TransferredComponent> list_components(const Columns& nodal, const Columns& cells,
                                                  bool has_positions, const TransferReport& report) {
  std::vector<std::string> names;
  if (has_positions) names = {"position_0", "position_1", "position_2"};
  for (const Columns* columns : {&nodal, &cells}) {
    for (const FieldColumns& field : columns->fields) {
      for (int c = 0; c < field.components; ++c) names.push_back(NewFrame::name_of(field, c));
    }
  }
  std::vector<TransferredComponent> list;
  for (size_t i = 0; i < names.size(); ++i) {
    list.push_back({names[i], report.old_integrals[row(i)], report.new_integrals[row(i)]});
  }
  return list;
}

}  // namespace

FrameTransferReport transfer_frame(const FrameTransfer& work) {
  check_output(work.output, {work.from, work.rest, work.to}, {".vtu"});
  if (!is_frame(work.from))
    fail(work.from, "is not a frame (.vtu)", "`marrow run` writes them with output.vtu.");
  const VtuFrame frame = read_vtu(work.from);
  FrameBody body = BodyCutter(frame, work.from).cut(work.body);
  const Points moved = body.mesh.points;
  const bool has_rest = !work.rest.empty();
  if (has_rest) body.mesh.points = read_rest(work, body);
  check_elements(body.mesh, has_rest ? work.rest : work.from);
  Mesh to = read_mesh(work.to);
  check_elements(to, work.to);
  if (to.tets.empty() != body.mesh.tets.empty()) {
    fail(work.to, "one mesh has tets and the other only triangles", "Both must be volumes, or both plane.");
  }

  const int extra = has_rest ? 3 : 0;
  Columns nodal = gather(frame.point_data, body.points, extra);
  for (size_t i = 0; has_rest && i < moved.size(); ++i)
    nodal.values.block<1, 3>(row(i), 0) = moved[i].transpose();
  const Columns cells = gather(frame.cell_data, body.cells, 0);
  const Transferred done = transfer_fields(body.mesh, to, {nodal.values, cells.values});

  FrameTransferReport report;
  report.transfer = done.report;
  report.components = list_components(nodal, cells, has_rest, done.report);
  report.points = to.points.size();
  report.cells = to.tets.empty() ? to.triangles.size() : to.tets.size();
  Points points = to.points;
  for (size_t i = 0; has_rest && i < points.size(); ++i) {
    points[i] = done.fields.nodal.block<1, 3>(row(i), 0).transpose();
  }
  report.inverted = find_inverted(to, points);
  NewFrame result(to, std::move(points));
  result.add_nodal(nodal.fields, done.fields.nodal, extra);
  result.add_cells(cells.fields, done.fields.cells);
  result.write(work.output, frame.step, frame.time);
  return report;
}

}  // namespace marrow
