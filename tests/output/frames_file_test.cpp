// run.mrw, read back by the rules of docs/frame_format.md alone.
#include "output/frames/frames_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/refusal.h"
#include "sample_run.h"

namespace marrow {
namespace {

using nlohmann::json;

struct Record {
  json head;
  std::string arrays;
};

Record open_record(const std::string& record) {
  EXPECT_TRUE(is_sound_record(record));
  const std::string payload = record.substr(kRecordHeader);
  const std::string_view head = record_head(payload);
  return {json::parse(head), payload.substr(8 + head.size())};
}

template <class T>
std::vector<T> take_array(const Record& record, const json& array) {
  const size_t count = array["count"].get<size_t>() * array["components"].get<size_t>();
  std::vector<T> values(count);
  std::memcpy(values.data(), record.arrays.data() + array["offset"].get<size_t>(), count * sizeof(T));
  return values;
}

// The drawn points of a frame.
Points take_positions(const Record& topology, const Record& frame) {
  Points points;
  const auto boxes = take_array<double>(frame, frame.head["boxes"]);
  const bool is_float = frame.head["positions"]["type"] == "f32";
  const auto floats = is_float ? take_array<float>(frame, frame.head["positions"]) : std::vector<float>();
  const auto steps =
      is_float ? std::vector<std::uint16_t>() : take_array<std::uint16_t>(frame, frame.head["positions"]);
  for (size_t b = 0; b < topology.head["bodies"].size(); ++b) {
    const json& range = topology.head["bodies"][b]["points"];
    for (size_t i = range[0]; i < range[0].get<size_t>() + range[1].get<size_t>(); ++i) {
      Vec3 p;
      for (size_t axis = 0; axis < 3; ++axis) {
        const double lower = boxes[6 * b + axis], upper = boxes[6 * b + 3 + axis];
        p[static_cast<Index>(axis)] =
            is_float ? lower + floats[3 * i + axis] : lower + (upper - lower) * steps[3 * i + axis] / 65535;
      }
      points.push_back(p);
    }
  }
  return points;
}

// The sample without its huge point.
Points near_points(int step) {
  Points points = sample_points(step);
  points.back() = Vec3(3, 0.5, 1);
  return points;
}

class FramesFileTest : public testing::Test {
 protected:
  void add_frames(FramesFile& file, int first, int last) {
    for (int step = first; step <= last; ++step) {
      const Points points = near_points(step);
      std::vector<double> heat;
      for (size_t i = 0; i < points.size(); ++i) heat.push_back(static_cast<double>(i) - 3);
      Frame frame;
      frame.step = step;
      frame.time = 0.1 * step;
      frame.points = points;
      frame.point_scalars.push_back({"heat", heat});
      frame.overlays.push_back({"medial", {{0, 0, 0}, {1, 0, 0}}, {0.5, 0.25}, {{0, 1}}, {}, {7, 8}, {}});
      file.add(frame);
    }
  }

  void write_frames(int count, DrawnPrecision precision = DrawnPrecision::Box16) {
    FramesFile file(path_, topology_, -1, {precision, false});
    add_frames(file, 0, count - 1);
  }

  FramesReader open() {
    FramesReader reader(path_);
    reader.update();
    return reader;
  }

  const OutputTopology topology_ = sample_topology();
  TemporaryFolder folder_;
  std::string path_ = folder_ / "run.mrw";
};

TEST_F(FramesFileTest, topology_names_bodies_and_their_ranges) {
  write_frames(1);
  const Record record = open_record(open().read_topology());
  const json& bodies = record.head["bodies"];
  ASSERT_EQ(bodies.size(), 3u);
  EXPECT_EQ(bodies[1]["name"], "floor \"<&>\"");
  EXPECT_EQ(bodies[0]["kind"], "soft");
  EXPECT_EQ(bodies[0]["triangles"], json::parse("[0, 4]"));
  EXPECT_EQ(bodies[1]["triangles"], json::parse("[4, 1]"));
  EXPECT_EQ(bodies[2]["edges"], json::parse("[0, 1]"));
  EXPECT_EQ(bodies[2]["vertices"], json::parse("[0, 1]"));
  EXPECT_EQ(take_array<std::uint32_t>(record, record.head["triangles"]).size(), 15u);
  EXPECT_EQ(take_array<std::uint32_t>(record, record.head["run_points"]).size(), 10u);
}

TEST_F(FramesFileTest, inner_points_are_not_written) {
  OutputTopology topology;
  topology.bodies = {{"a", "soft", 0, 5}, {"b", "soft", 5, 3}};
  topology.tets = {{0, 1, 2, 3}};
  topology.triangles = {{5, 6, 7}, {0, 3, 4}};
  const DrawnTopology drawn = build_drawn(topology);
  EXPECT_EQ(drawn.run_points, (std::vector<std::uint32_t>{0, 3, 4, 5, 6, 7}));
  EXPECT_EQ(drawn.triangles, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));  // by body
  EXPECT_EQ(drawn.bodies[1].triangles.first, 1u);
  EXPECT_EQ(drawn.bodies[0].tets, 1u);
}

TEST_F(FramesFileTest, positions_are_within_half_a_step_of_the_box) {
  write_frames(3);
  const FramesReader reader = open();
  ASSERT_EQ(reader.frames().size(), 3u);
  const Record topology = open_record(reader.read_topology());
  for (size_t step = 0; step < 3; ++step) {
    const Points expected = near_points(static_cast<int>(step));
    const Points points = take_positions(topology, open_record(reader.read_frame(step)));
    ASSERT_EQ(points.size(), expected.size());
    for (size_t i = 0; i < points.size(); ++i) {
      EXPECT_LT((points[i] - expected[i]).cwiseAbs().maxCoeff(), 3 / 65535.0 / 2 * 1.0001) << i;
    }
  }
}

TEST_F(FramesFileTest, full_precision_is_that_of_floats) {
  write_frames(2, DrawnPrecision::Float32);
  const FramesReader reader = open();
  const Points points =
      take_positions(open_record(reader.read_topology()), open_record(reader.read_frame(1)));
  for (size_t i = 0; i < points.size(); ++i) {
    EXPECT_LT((points[i] - near_points(1)[i]).cwiseAbs().maxCoeff(), 3e-7) << i;
  }
}

TEST_F(FramesFileTest, scalars_and_overlays_come_back) {
  write_frames(1);
  const Record frame = open_record(open().read_frame(0));
  const json& field = frame.head["scalars"][0];
  EXPECT_EQ(field["name"], "heat");
  EXPECT_EQ(field["min"], -3);
  EXPECT_EQ(field["max"], 6);
  const auto steps = take_array<std::uint16_t>(frame, field["values"]);
  EXPECT_NEAR(-3 + 9.0 * steps[4] / 65535, 1, 1e-4);
  const json& overlay = frame.head["overlays"][0];
  EXPECT_EQ(overlay["name"], "medial");
  EXPECT_EQ(take_array<float>(frame, overlay["radii"]), (std::vector<float>{0.5F, 0.25F}));
  EXPECT_EQ(take_array<std::uint32_t>(frame, overlay["segments"]), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(take_array<float>(frame, overlay["points"]),
            (std::vector<float>{0, -1, 0, 1, -1, 0}));  // from the box
}

TEST_F(FramesFileTest, box_is_that_of_what_moves) {
  write_frames(1);
  EXPECT_EQ(open_record(open().read_frame(0)).head["box"], json::parse("[0, 1, 0, 1, 2, 1]"));
  EXPECT_EQ(json::parse(open().read_head(0)), open_record(open().read_frame(0)).head);
}

TEST_F(FramesFileTest, values_that_are_not_finite_do_no_harm) {
  Points points = near_points(0);
  points[0].x() = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> heat(points.size(), std::numeric_limits<double>::infinity());
  Frame frame;
  frame.points = points;
  frame.point_scalars.push_back({"heat", heat});
  const Record record = open_record(format_frame_record(build_drawn(topology_), frame));
  EXPECT_EQ(record.head["scalars"][0]["max"], 0);
  EXPECT_EQ(record.head["box"], json::parse("[0, 1, 0, 1, 2, 1]"));
}

TEST_F(FramesFileTest, reader_follows_a_growing_file) {
  FramesFile file(path_, topology_, -1);
  FramesReader reader(path_);
  for (int step = 0; step < 3; ++step) {
    add_frames(file, step, step);
    reader.update();
    EXPECT_EQ(reader.frames().size(), static_cast<size_t>(step) + 1);
  }
  EXPECT_EQ(reader.generation(), 1);
}

TEST_F(FramesFileTest, torn_end_is_not_believed_and_dropped_when_going_on) {
  write_frames(3);
  const std::string whole = read_file(path_);
  write_file(path_, whole.substr(0, whole.size() - 5));
  EXPECT_EQ(open().frames().size(), 2u);
  {
    FramesFile file(path_, topology_, 5);
    EXPECT_EQ(file.last_step(), 1);
    add_frames(file, 2, 2);
  }
  EXPECT_EQ(read_file(path_), whole);
}

TEST_F(FramesFileTest, going_on_drops_later_frames_and_readers_notice) {
  write_frames(4);
  FramesReader reader = open();
  FramesFile file(path_, topology_, 1);
  reader.update();
  EXPECT_EQ(reader.generation(), 2);
  EXPECT_EQ(reader.frames().size(), 2u);
}

TEST_F(FramesFileTest, looks_are_in_the_topology_where_they_are_given) {
  OutputTopology topology = topology_;
  topology.bodies[0].look = {0xd08020, true, 0, "things"};
  topology.bodies[1].look = {{}, false, 0.25, ""};
  topology.view = R"({"side": "front"})";
  const FramesFile file(path_, topology, -1);
  const json head = open_record(open().read_topology()).head;
  EXPECT_EQ(head["view"], json::parse(R"({"side": "front"})"));
  EXPECT_EQ(head["bodies"][0]["color"], "#d08020");
  EXPECT_EQ(head["bodies"][0]["group"], "things");
  EXPECT_FALSE(head["bodies"][0].contains("visible"));
  EXPECT_EQ(head["bodies"][1]["visible"], false);
  EXPECT_EQ(head["bodies"][1]["radius"], 0.25);
  for (const char* key : {"color", "visible", "radius", "group"})
    EXPECT_FALSE(head["bodies"][2].contains(key));
}

TEST_F(FramesFileTest, a_run_with_other_looks_goes_on_and_other_bodies_do_not) {
  write_frames(3);
  const std::string whole = read_file(path_);
  OutputTopology topology = topology_;
  topology.bodies[0].look.color = 0xd08020;
  topology.view = R"({"theme": "dark"})";
  EXPECT_EQ(FramesFile(path_, topology, 5).last_step(), 2);
  EXPECT_EQ(read_file(path_), whole);
  topology.bodies[0].name = "another";
  EXPECT_EQ(FramesFile(path_, topology, 5).last_step(), -1);
}

TEST_F(FramesFileTest, damage_is_found) {
  write_frames(2);
  std::string bytes = read_file(path_);
  bytes[bytes.size() - 9] = static_cast<char>(bytes[bytes.size() - 9] ^ 1);
  write_file(path_, bytes);
  const FramesReader reader = open();
  ASSERT_EQ(reader.frames().size(), 2u);
  EXPECT_TRUE(is_sound_record(reader.read_frame(0)));
  EXPECT_FALSE(is_sound_record(reader.read_frame(1)));
}

TEST_F(FramesFileTest, other_files_and_versions_are_refused) {
  FramesReader reader(path_);
  EXPECT_EQ(test::get_refusal([&] { reader.update(); }),
            path_ + ": No such file or directory\n  Check the name.");
  write_file(path_, "something else altogether");
  EXPECT_EQ(test::get_refusal([&] { reader.update(); }),
            path_ + ": is not a file of frames\n  Run the scene again.");
  std::string header = format_records_header();
  header[8] = 3;
  write_file(path_, header);
  EXPECT_EQ(test::get_refusal([&] { reader.update(); }),
            path_ + ": has a version that this program cannot read\n  Use the program that wrote it.");
  FramesFile file(path_, topology_, 3);  // of no use: started anew
  EXPECT_EQ(file.last_step(), -1);
}

// A floor at rest, a tet that follows a pose and one that moves freely.
class MotionsTest : public testing::Test {
 protected:
  MotionsTest() {
    topology_.bodies = {{"floor", "obstacle", 0, 3, 0, 0, 3},
                        {"rigid", "rigid", 3, 4, 0, 3, 4},
                        {"soft", "soft", 7, 4, 0, 7, 4}};
    topology_.triangles = {{0, 1, 2}, {3, 5, 4}, {3, 4, 6}, {7, 9, 8}, {7, 8, 10}};
    topology_.tets = {{7, 8, 9, 10}};
    topology_.bodies[0].motion = BodyMotion::Rest;
    topology_.bodies[0].rest = {{1.0 / 3, 0, 0}, {0, 0, 1.0 / 7}, {1, 0, 0}};
    topology_.bodies[1].motion = BodyMotion::Pose;
    topology_.bodies[1].weights = {
        {0.1, 0.2, 0.3, 0.4}, {1, 0, 0, 0}, {-0.7, 0.9, 0.4, 0.4}, {0.25, 0.25, 0.25, 0.25}};
  }

  // Nodes of a step; the floor's stay.
  static VecX nodes(int step) {
    VecX n(33);
    for (Index i = 0; i < n.size(); ++i) n[i] = std::sin(1.7 * i) + 0.1 * step / (i + 1);
    return n;
  }

  Points points(const VecX& n) const {
    Points x = topology_.bodies[0].rest;
    for (const Vec4& w : topology_.bodies[1].weights) {
      Vec3 sum = Vec3::Zero();
      for (int k = 0; k < 4; ++k) sum += w[k] * n.segment<3>(9 + 3 * k);
      x.push_back(sum);
    }
    for (Index i = 7; i < 11; ++i) x.push_back(n.segment<3>(3 * i));
    return x;
  }

  void add_frames(FramesFile& file, int first, int last) const {
    for (int step = first; step <= last; ++step) {
      const VecX n = nodes(step);
      const Points x = points(n);
      std::vector<double> heat(x.size(), 0);
      heat[8] = 2;
      Frame frame;
      frame.step = step;
      frame.points = x;
      frame.nodes = {n.data(), static_cast<size_t>(n.size())};
      frame.point_scalars.push_back({"heat", heat});
      file.add(frame);
    }
  }

  OutputTopology topology_;
  TemporaryFolder folder_;
  std::string path_ = folder_ / "run.mrw";
};

TEST_F(MotionsTest, rest_and_poses_are_exact) {
  FramesFile file(path_, topology_, -1, {DrawnPrecision::Box16, true});
  add_frames(file, 0, 2);
  FramesReader reader(path_);
  reader.update();
  const Record topology = open_record(reader.read_topology());
  EXPECT_EQ(topology.head["bodies"][0]["motion"], "rest");
  EXPECT_EQ(topology.head["bodies"][1]["motion"], "pose");
  EXPECT_EQ(topology.head["bodies"][2]["motion"], "free");
  const auto rest = take_array<double>(topology, topology.head["rest"]);
  EXPECT_EQ(rest, (std::vector<double>{1.0 / 3, 0, 0, 0, 0, 1.0 / 7, 1, 0, 0}));
  const auto weights = take_array<double>(topology, topology.head["weights"]);
  for (size_t step = 0; step < 3; ++step) {
    const Points expected = points(nodes(static_cast<int>(step)));
    const Record frame = open_record(reader.read_frame(step));
    const auto poses = take_array<double>(frame, frame.head["poses"]);
    ASSERT_EQ(poses.size(), 12u);
    for (size_t i = 0; i < 4; ++i) {
      for (size_t axis = 0; axis < 3; ++axis) {
        double x = 0;
        for (size_t k = 0; k < 4; ++k) x += weights[4 * i + k] * poses[3 * k + axis];
        EXPECT_EQ(x, expected[3 + i][static_cast<Index>(axis)]);
      }
    }
    EXPECT_EQ(frame.head["positions"]["count"], 4);  // of the soft one
    EXPECT_EQ(frame.head["boxes"]["count"], 1);
    const Record exact = open_record(reader.read_exact(step));
    const auto soft = take_array<double>(exact, exact.head["nodes"]);
    ASSERT_EQ(soft.size(), 12u);
    for (size_t i = 0; i < 12; ++i) EXPECT_EQ(soft[i], expected[7 + i / 3][static_cast<Index>(i % 3)]);
    const RecordSums sums = add_up_points(expected);
    EXPECT_EQ(exact.head["point_sums"], json({sums.a, sums.b}));
  }
}

TEST_F(MotionsTest, fields_are_written_where_they_are_not_zero) {
  FramesFile file(path_, topology_, -1);
  add_frames(file, 0, 0);
  FramesReader reader(path_);
  reader.update();
  EXPECT_FALSE(reader.has_exact(0));
  const Record frame = open_record(reader.read_frame(0));
  const json& field = frame.head["scalars"][0];
  EXPECT_EQ(field["bodies"], json({2}));
  EXPECT_EQ(take_array<std::uint16_t>(frame, field["values"]), (std::vector<std::uint16_t>{0, 65535, 0, 0}));
}

TEST_F(MotionsTest, going_on_gives_the_same_bytes_wherever_it_was_cut) {
  {
    FramesFile file(path_, topology_, -1, {DrawnPrecision::Box16, true});
    add_frames(file, 0, 3);
  }
  const std::string whole = read_file(path_);
  FramesReader reader(path_);
  reader.update();
  const std::uint64_t third = reader.end_of(1);
  // In a frame's record, between it and its exact one, and in that one.
  for (const std::uint64_t size :
       {third + 100, reader.frames()[2].offset + reader.frames()[2].size(), reader.end_of(2) - 8}) {
    write_file(path_, whole.substr(0, size));
    FramesFile file(path_, topology_, 1, {DrawnPrecision::Box16, true});
    EXPECT_EQ(file.last_step(), 1);
    EXPECT_EQ(file.frame_count(), 2);
    add_frames(file, 2, 3);
    EXPECT_EQ(read_file(path_), whole) << size;
  }
}

TEST_F(MotionsTest, a_file_of_version_1_is_read_and_not_continued) {
  {
    FramesFile file(path_, topology_, -1);
    add_frames(file, 0, 1);
  }
  std::string bytes = read_file(path_);
  bytes[8] = 1;
  write_file(path_, bytes);
  FramesReader reader(path_);
  reader.update();
  EXPECT_EQ(reader.version(), 1u);
  EXPECT_EQ(reader.frames().size(), 2u);
  const FramesFile file(path_, topology_, 1);
  EXPECT_EQ(file.last_step(), -1);
}

}  // namespace
}  // namespace marrow
