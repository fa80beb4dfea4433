#include "scene/read_written.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/file.h"
#include "math/rotation.h"
#include "mesh/point_box.h"
#include "scene/copies/place_copies.h"
#include "scene/json/read_fields.h"
#include "scene/mesh_points.h"
#include "scene/move_description.h"
#include "scene/read_scene.h"
#include "scene/written_scene.h"

namespace marrow {

// Found by the name of its type where field lists are read.
void read_plain(const JsonNode& node, const NamedField& /*field*/, WrittenCopies& value) {
  static constexpr Field kCount = {.at_least = 0, .at_most = kMostCopies, .doc = "Number of copies."};
  RowCopies row;
  if (node.kind() == JsonNode::Kind::Number || node.kind() == JsonNode::Kind::Text) {
    read_plain(node, {"copies", kCount}, row.count);
    value.pattern = row;
  } else if (node.kind() == JsonNode::Kind::Object && !node.member("type")) {
    read_struct(node, row);
    value.pattern = row;
  } else {
    read_alternative(node, value.pattern);
  }
}

namespace {

// Of the diagonal of a scattered body; contact.d_hat is at most this part of the smallest body's, by default
// (decision 14: 1e-3 of at most ten times that).
constexpr double kScatterGap = 1e-2;

// Fails at the body or joint that node describes.
void refuse_problem(const JsonNode& node, const std::optional<MoveProblem>& found) {
  if (!found) return;
  const JsonPath inner = parse_json_path(found->key);
  JsonPath path = node.path();
  path.insert(path.end(), inner.begin(), inner.end());
  throw InputError(node.document().locate(path), found->problem, found->advice);
}

// The pattern of a member "copies", and the places that it gives.
Copies read_pattern(const JsonNode& node, std::vector<Copy>& copies) {
  static constexpr Field kCopies = {.doc = "The body several times."};
  WrittenCopies written;
  read_plain(node, {"copies", kCopies}, written);
  if (const auto* ring = std::get_if<RingCopies>(&written.pattern); ring != nullptr && ring->axis.isZero(0)) {
    node.fail("the axis has no direction", "Give a vector that is not zero.");
  }
  copies = list_copies(written.pattern);
  if (copies.size() > kMostCopies) {
    node.fail(fmt::format("more than {} copies", kMostCopies), "Give smaller counts.");
  }
  return written.pattern;
}

// The bodies and joints of one scene file, and of those that it includes.
class FileReader {
 public:
  FileReader(const JsonDocument& document, ReadScene& all, std::vector<std::string> open)
      : document_(document), all_(all), open_(std::move(open)) {}

  // given: values for variables in place of the file's own.
  Scene read(const Variables& given);

  // Which of the scene's pairs are from where.
  const std::vector<Origin>& pair_origins() const { return pair_origins_; }

  template <class T>
  void operator()(const char* name, T& value, const Field& field) {
    const auto member = root_->member(name);
    if constexpr (std::is_same_v<T, std::vector<IncludeDescription>> ||
                  std::is_same_v<T, std::vector<WrittenBody>> ||
                  std::is_same_v<T, std::vector<WrittenJoint>>) {
      if (!member) return;
      check_list(*member, {name, field});
      for (int i = 0; i < member->size(); ++i) read_item(member->element(i), value);
    } else if constexpr (!std::is_same_v<T, Variables>) {
      if (member) read_value(*member, {name, field}, value);
    }
  }

 private:
  void read_item(const JsonNode& node, std::vector<WrittenBody>& bodies);
  void read_item(const JsonNode& node, std::vector<WrittenJoint>& joints);
  void read_item(const JsonNode& node, std::vector<IncludeDescription>& include);

  void scatter(const JsonNode& node, const ScatterCopies& pattern, std::vector<Copy>& copies,
               std::vector<WrittenBody>& bodies);
  void add_ground(const JsonNode& node, const GroundDescription& ground);
  void check_variables(const JsonNode& object, const Variables& given) const;
  Origin origin_of(const JsonNode& node, const std::string& copy) const {
    return {document_.file(), to_string(node.path()), copy};
  }

  const JsonDocument& document_;
  ReadScene& all_;
  std::vector<std::string> open_;  // files that include each other up to this one
  std::optional<JsonNode> root_;
  Variables variables_;
  std::vector<CopySphere> scattered_;
  Scene part_;  // bodies, joints, pairs and files of includes
  std::vector<Origin> pair_origins_, part_pair_origins_;
};

// What a copy is called without braces in the name.
std::string name_copy(const std::string& name, const Copy& copy) {
  return name.empty() ? std::string() : fmt::format("{}[{}]", name, copy.numbers.at("index"));
}

// The variables of a scene and the numbers of a copy.
Variables join(Variables variables, const Variables& numbers) {
  variables.insert(numbers.begin(), numbers.end());
  return variables;
}

// Whether the text of a member has something to substitute.
bool has_braces(const JsonNode& node, const char* key) {
  const auto member = node.member(key);
  return member && member->kind() == JsonNode::Kind::Text && member->text().find('{') != std::string::npos;
}

void FileReader::read_item(const JsonNode& node, std::vector<WrittenBody>& bodies) {
  check_object(node, "an object");
  const auto member = node.member("copies");
  if (!member) {
    WrittenBody body;
    read_struct(node, body);
    body.origin = origin_of(node, {});
    bodies.push_back(std::move(body));
    return;
  }
  std::vector<Copy> copies;
  const Copies pattern = read_pattern(*member, copies);
  std::vector<WrittenBody> read;
  const bool is_named = has_braces(node, "name");
  for (const Copy& copy : copies) {
    WrittenBody& body = read.emplace_back();
    const Variables variables = join(variables_, copy.numbers);
    read_struct(node.with(variables), body);
    if (body.group.empty() && !is_named && !node.member("group")) body.group = body.name;
    if (!is_named) body.name = name_copy(body.name, copy);
    body.origin =
        origin_of(node, body.name.empty() ? fmt::format("{:g}", copy.numbers.at("index")) : body.name);
  }
  if (const auto* random = std::get_if<ScatterCopies>(&pattern)) scatter(*member, *random, copies, read);
  for (size_t i = 0; i < copies.size(); ++i) {
    const Vec3 pivot = read[i].position;
    const RigidMove move{copies[i].turn, pivot + copies[i].shift - copies[i].turn * pivot};
    const bool is_moved = move.turns() || !copies[i].shift.isZero(0);
    if (is_moved) refuse_problem(node, move_places(move, read[i]));
    bodies.push_back(std::move(read[i]));
  }
}

// Measures the bodies and gives each a place of its own.
void FileReader::scatter(const JsonNode& node, const ScatterCopies& pattern, std::vector<Copy>& copies,
                         std::vector<WrittenBody>& bodies) {
  if ((pattern.min.array() > pattern.max.array()).any()) {
    node.fail("the box is empty: min is above max", "Swap the coordinates that are the wrong way round.");
  }
  std::vector<CopySphere> spheres(copies.size());
  Points middles(copies.size());  // of the spheres, from the position of each body
  std::map<std::string, Points> files;
  double diagonal = 0;
  for (size_t i = 0; i < copies.size(); ++i) {
    WrittenBody& body = bodies[i];
    if (body.mesh.has_value() == body.shape.has_value()) return;  // find_problem tells
    if (body.mesh && files.count(*body.mesh) == 0)
      files[*body.mesh] = read_own_points(body, document_.file());
    const Points own = body.mesh ? files[*body.mesh] : read_own_points(body, document_.file());
    resolve_size(own, body);
    const Points placed = place_points(own, body);
    if (placed.empty()) continue;
    const Eigen::AlignedBox3d box = compute_box(placed);
    middles[i] = box.center() - body.position;
    for (const Vec3& x : placed) spheres[i].radius = std::max(spheres[i].radius, (x - box.center()).norm());
    spheres[i].radius += body.radius;
    diagonal = std::max(diagonal, box.diagonal().norm());
    if (pattern.turned) copies[i].turn = choose_turn(pattern.seed, static_cast<int>(i));
  }
  const Vec3 offset = bodies.empty() ? Vec3(Vec3::Zero()) : bodies.front().position;
  const double gap = pattern.gap.value_or(kScatterGap * diagonal);
  const size_t placed = scatter_spheres(pattern, offset, gap, spheres, scattered_);
  if (placed < copies.size()) {
    node.fail(
        fmt::format("only {} of {} copies found a place without touching others", placed, copies.size()),
        fmt::format("The spheres around them have a radius of {:.3g} m, and stay {:.3g} m apart. Use a "
                    "larger box, fewer copies, a smaller gap, or a grid, which packs closer.",
                    spheres[placed].radius, gap));
  }
  for (size_t i = 0; i < copies.size(); ++i) {
    copies[i].shift = spheres[i].center - copies[i].turn * middles[i] - bodies[i].position;
  }
}

void FileReader::read_item(const JsonNode& node, std::vector<WrittenJoint>& joints) {
  check_object(node, "an object");
  const auto member = node.member("copies");
  std::vector<Copy> copies(1);
  if (member) {
    const Copies pattern = read_pattern(*member, copies);
    if (std::holds_alternative<RingCopies>(pattern) || std::holds_alternative<ScatterCopies>(pattern)) {
      member->fail("joints have copies in rows and grids only",
                   "Place the joints by expressions of i: \"at\": [\"cos(2*pi*i/count)\", 0, 0].");
    }
  }
  const bool is_named = has_braces(node, "name");
  for (const Copy& copy : copies) {
    WrittenJoint joint;
    const Variables variables = join(variables_, copy.numbers);
    read_struct(node.with(variables), joint);
    if (member && !is_named) joint.name = name_copy(joint.name, copy);
    joint.origin = origin_of(node, member ? fmt::format("{:g}", copy.numbers.at("index")) : std::string());
    const RigidMove step{Mat3::Identity(), copy.shift};
    if (!copy.shift.isZero(0)) refuse_problem(node, move_joint(step, joint));
    if (copy.turn != Mat3::Identity()) joint.axis = copy.turn * joint.axis;
    joints.push_back(std::move(joint));
  }
}

// Names of an included scene with the prefix; bodies and joints without a name get one.
class Renamer {
 public:
  Renamer(const IncludeDescription& include) : prefix_(include.prefix) {
    const std::string stem = std::filesystem::path(include.file).stem().string();
    unnamed_ = prefix_.empty() ? stem + " " : prefix_;
  }

  void rename(Scene& part) {
    for (size_t i = 0; i < part.bodies.size(); ++i) {
      if (part.bodies[i].name.empty()) new_names_[part.name_of(i)] = unnamed_ + part.name_of(i);
    }
    for (size_t i = 0; i < part.bodies.size(); ++i) {
      BodyDescription& body = part.bodies[i];
      body.name = rename(part.name_of(i));
      if (!body.group.empty()) body.group = prefix_ + body.group;
      if (body.rest_on && !body.rest_on->name.empty() && body.rest_on->name != kGround)
        body.rest_on->name = rename(body.rest_on->name);
    }
    for (JointDescription& joint : part.joints) {
      if (!joint.name.empty()) joint.name = prefix_ + joint.name;
      joint.a = rename(joint.a);
      if (joint.b != kWorld) joint.b = rename(joint.b);
    }
    for (ContactPair& pair : part.contact.pairs) {
      pair.a = rename(pair.a);
      pair.b = rename(pair.b);
    }
  }

 private:
  std::string rename(const std::string& name) const {
    const auto found = new_names_.find(name);
    return found != new_names_.end() ? found->second : prefix_ + name;
  }

  std::string prefix_, unnamed_;
  std::map<std::string, std::string> new_names_;  // of bodies without a name
};

// Mesh names of an included file as the including one would say them.
void rebase_files(const std::string& file, Scene& part) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  const auto rebase = [&](std::string& name) { name = (folder / name).lexically_normal().string(); };
  for (BodyDescription& body : part.bodies) {
    if (body.mesh && !body.mesh->empty()) rebase(*body.mesh);
    if (std::string* surface = body.surface_file(); surface && !surface->empty()) rebase(*surface);
    if (body.densities && body.densities->file) rebase(*body.densities->file);
    for (PrescribedDescription& prescribed : body.prescribed) {
      if (prescribed.sequence)
        std::for_each(prescribed.sequence->meshes.begin(), prescribed.sequence->meshes.end(), rebase);
    }
  }
  std::for_each(part.included.begin(), part.included.end(), rebase);
}

template <class T>
void append(std::vector<T>&& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// The name by which a file is told apart from others.
std::string identify(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(path, ignored).string();
}

void FileReader::read_item(const JsonNode& node, std::vector<IncludeDescription>& /*include*/) {
  static constexpr Field kFile = {.doc = "The scene file, relative to this one."};
  IncludeDescription include;
  const bool is_name = node.kind() == JsonNode::Kind::Text;
  if (is_name) {
    read_plain(node, {"file", kFile}, include.file);
  } else {
    read_struct(node, include);
  }
  const JsonNode named = is_name ? node : *node.member("file");
  const std::string path = resolve_path(document_.file(), include.file);
  if (std::find(open_.begin(), open_.end(), identify(path)) != open_.end()) {
    named.fail(fmt::format("{} includes itself", include.file),
               "Remove this include, or the one in that file.");
  }
  if (!is_file(path)) named.fail(fmt::format("there is no file {}", path), explain({"file", kFile}));
  try {
    all_.included.push_back(std::make_unique<JsonDocument>(read_file(path), path));
    const JsonDocument& document = *all_.included.back();
    all_.documents.push_back(&document);
    std::vector<std::string> open = open_;
    open.push_back(identify(path));
    FileReader reader(document, all_, std::move(open));
    Scene part = reader.read(include.variables);
    Renamer(include).rename(part);
    rebase_files(include.file, part);
    const RigidMove move{
        include.rotation.isZero(0) ? Mat3(Mat3::Identity()) : rotation_from_degrees(include.rotation),
        include.position};
    if (move.turns() || !move.shift.isZero(0)) {
      for (BodyDescription& body : part.bodies) {
        refuse_problem(node, move_places(move, body));
        refuse_problem(node, turn_motion(move.R, body));
      }
      for (JointDescription& joint : part.joints) refuse_problem(node, move_joint(move, joint));
    }
    part_.included.push_back(include.file);
    append(std::move(part.included), part_.included);
    append(std::move(part.bodies), part_.bodies);
    append(std::move(part.joints), part_.joints);
    append(std::move(part.contact.pairs), part_.contact.pairs);
    part_pair_origins_.insert(part_pair_origins_.end(), reader.pair_origins().begin(),
                              reader.pair_origins().end());
  } catch (const InputError& error) {
    if (error.where().file == document_.file()) throw;
    const std::string place = to_string(document_.locate(node.path()));
    throw InputError(
        error.where(), error.problem(),
        fmt::format("{}{}It is included at {}.", error.advice(), error.advice().empty() ? "" : " ", place));
  }
}

// A value for a variable that the file does not have is a slip.
void FileReader::check_variables(const JsonNode& object, const Variables& given) const {
  std::vector<std::string> known;
  if (const auto member = object.member("variables"); member && member->kind() == JsonNode::Kind::Object)
    known = member->keys();
  for (const auto& [name, value] : given) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string nearest = nearest_name(name, known);
    object.fail(fmt::format("there is no variable \"{}\" here, but a value for it is given", name),
                nearest.empty() ? fmt::format("The variables are: {}.", fmt::join(known, ", "))
                                : fmt::format("Did you mean \"{}\"?", nearest));
  }
}

void FileReader::add_ground(const JsonNode& node, const GroundDescription& ground) {
  if (ground.normal.isZero(0)) node.fail("the normal has no direction", "Give a vector that is not zero.");
  BodyDescription body;
  body.origin = origin_of(node, {});
  body.name = kGround;
  body.kind = BodyKind::Obstacle;
  body.plane = PlaneDescription{ground.height, ground.normal};
  body.friction = ground.friction;
  part_.bodies.push_back(std::move(body));
}

Scene FileReader::read(const Variables& given) {
  const JsonNode root = document_.root();
  check_object(root, "an object");
  check_variables(root, given);
  variables_ = given;
  static constexpr Field kVariables = {.doc = "Names for numbers."};
  WrittenScene written;
  FieldNames known{{}};
  visit_fields(known, written);
  check_keys(root, known.names);
  if (const auto member = root.member("variables"))
    variables_ = read_variables(*member, {"variables", kVariables}, given);
  root_ = root.with(variables_);
  visit_fields(*this, written);
  if (!root.member("bodies") && !root.member("include")) {
    static constexpr Field kBodies = {.doc = "The bodies; at least one."};
    fail_missing(root, {"bodies", kBodies});
  }
  const bool is_main = open_.size() == 1;
  if (written.ground && is_main) add_ground(*root.member("ground"), *written.ground);

  Scene scene = std::move(static_cast<Scene&>(written));
  for (WrittenBody& body : written.written_bodies) scene.bodies.push_back(std::move(body));
  for (WrittenJoint& joint : written.written_joints) scene.joints.push_back(std::move(joint));
  for (size_t i = 0; i < scene.contact.pairs.size(); ++i)
    pair_origins_.push_back({document_.file(), fmt::format("contact.pairs[{}]", i), {}});
  append(std::move(part_.bodies), scene.bodies);
  append(std::move(part_.joints), scene.joints);
  append(std::move(part_.contact.pairs), scene.contact.pairs);
  append(std::move(part_.included), scene.included);
  append(std::move(part_pair_origins_), pair_origins_);
  return scene;
}

// bodies[3].shape is the element 3 of "bodies" and the rest.
bool is_element(const JsonPath& path, size_t depth) { return path.size() > depth && path[depth].index >= 0; }

}  // namespace

const Origin* ReadScene::find_origin(const JsonPath& path) const {
  const auto pick = [](const auto& list, int index) {
    const auto i = static_cast<size_t>(index);
    return i < list.size() && !list[i].origin.path.empty() ? &list[i].origin : nullptr;
  };
  if (is_element(path, 1) && path[0].key == "bodies") return pick(scene.bodies, path[1].index);
  if (is_element(path, 1) && path[0].key == "joints") return pick(scene.joints, path[1].index);
  const bool is_pair = is_element(path, 2) && path[0].key == "contact" && path[1].key == "pairs";
  const auto pair = is_pair ? static_cast<size_t>(path[2].index) : pair_origins.size();
  return pair < pair_origins.size() ? &pair_origins[pair] : nullptr;
}

Location ReadScene::locate(const JsonPath& path) const {
  const Origin* origin = find_origin(path);
  if (origin == nullptr) return documents.front()->locate(path);
  JsonPath place = parse_json_path(origin->path);
  const size_t skipped = path[0].key == "contact" ? 3 : 2;
  place.insert(place.end(), path.begin() + static_cast<std::ptrdiff_t>(skipped), path.end());
  for (const JsonDocument* document : documents) {
    if (document->file() == origin->file) return document->locate(place);
  }
  return documents.front()->locate(place);
}

std::string ReadScene::copy_of(const JsonPath& path) const {
  const Origin* origin = find_origin(path);
  return origin == nullptr ? std::string() : origin->copy;
}

ReadScene read_written_scene(const JsonDocument& document) {
  ReadScene all;
  all.documents.push_back(&document);
  FileReader reader(document, all, {identify(document.file())});
  all.scene = reader.read({});
  all.pair_origins = reader.pair_origins();
  return all;
}

}  // namespace marrow
