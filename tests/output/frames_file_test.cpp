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
      frame.overlays.push_back({"medial", {{0, 0, 0}, {1, 0, 0}}, {0.5, 0.25}, {{0, 1}}, {}, {7, 8}});
      file.add(frame);
    }
  }

  void write_frames(int count, DrawnPrecision precision = DrawnPrecision::Box16) {
    FramesFile file(path_, topology_, -1, precision);
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
  EXPECT_EQ(take_array<double>(frame, overlay["radii"]), (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(take_array<std::uint32_t>(frame, overlay["segments"]), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(take_array<double>(frame, overlay["points"])[3], 1);
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
  header[8] = 2;
  write_file(path_, header);
  EXPECT_EQ(test::get_refusal([&] { reader.update(); }),
            path_ + ": has a version that this program cannot read\n  Use the program that wrote it.");
  FramesFile file(path_, topology_, 3);  // of no use: started anew
  EXPECT_EQ(file.last_step(), -1);
}

}  // namespace
}  // namespace marrow
