#include "output/run/iterates.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/file.h"
#include "core/refusal.h"
#include "sample_run.h"

namespace marrow {
namespace {

constexpr Index kNodes = 4;

VecX sample_nodes(int number) { return VecX::LinSpaced(3 * kNodes, 0.1 * number, 1.0 / 3); }

class Iterates : public testing::Test {
 protected:
  // Steps 1 … count, three records each; the first of each is a start.
  void write(int count, int from_step = 0) {
    IteratesFile file(path_, kNodes, from_step);
    for (int step = from_step + 1; step <= count; ++step) {
      for (int k = 0; k < 3; ++k) file.add(step, sample_nodes(10 * step + k), k == 0);
    }
  }

  std::vector<Iterate> read() {
    std::vector<Iterate> iterates;
    IteratesReader reader(path_);
    for (Iterate iterate; reader.next(iterate);) iterates.push_back(iterate);
    return iterates;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "iterates.bin";
};

TEST_F(Iterates, come_back_to_the_last_bit) {
  write(2);
  const std::vector<Iterate> iterates = read();
  ASSERT_EQ(iterates.size(), 6U);
  for (size_t i = 0; i < iterates.size(); ++i) {
    const int step = static_cast<int>(i) / 3 + 1, k = static_cast<int>(i) % 3;
    EXPECT_EQ(iterates[i].step, step);
    EXPECT_EQ(iterates[i].is_start, k == 0);
    EXPECT_EQ(iterates[i].nodes, sample_nodes(10 * step + k));
  }
}

TEST_F(Iterates, a_torn_record_counts_as_not_written) {
  write(2);
  const std::string whole = read_file(path_);
  write_file(path_, whole.substr(0, whole.size() - 1));
  EXPECT_EQ(read().size(), 5U);
  EXPECT_TRUE(IteratesReader(path_).is_torn());
  write_file(path_, whole);
  EXPECT_FALSE(IteratesReader(path_).is_torn());
}

TEST_F(Iterates, resuming_drops_later_steps_and_a_torn_tail) {
  write(5);
  const std::string whole = read_file(path_);
  write_file(path_, whole.substr(0, whole.size() - 7));
  write(5, 3);
  EXPECT_EQ(read_file(path_), whole);
}

TEST_F(Iterates, a_fresh_run_starts_anew_and_so_does_one_over_a_foreign_file) {
  write(5);
  write(1);
  EXPECT_EQ(read().size(), 3U);
  write_file(path_, "something else altogether, and long enough");
  IteratesFile file(path_, kNodes, 3);
  EXPECT_FALSE(file.has_earlier());
  EXPECT_EQ(IteratesReader(path_).count(), 0);
}

TEST_F(Iterates, files_that_are_none_are_refused) {
  EXPECT_EQ(test::get_refusal([&] { const IteratesReader reader(path_); }),
            path_ +
                ": cannot be read: No such file or directory\n  Run the scene again with --iterates, or "
                "delete the file to check the frames alone.");
  write_file(path_, "MARROW");
  EXPECT_EQ(test::get_refusal([&] { const IteratesReader reader(path_); }),
            path_ +
                ": is not a file of iterates\n  Run the scene again with --iterates, or delete the file to "
                "check the frames alone.");
  write(1);
  std::string newer = read_file(path_);
  newer[8] = 2;
  write_file(path_, newer);
  try {
    IteratesReader reader(path_);
    FAIL() << "a newer version was read";
  } catch (const InputError& error) {
    EXPECT_NE(error.problem().find("version 2"), std::string::npos) << error.problem();
  }
}

TEST_F(Iterates, a_damaged_record_is_named) {
  write(1);
  std::string bytes = read_file(path_);
  bytes[24 + 8 + 8 * 3 * kNodes] = -1;  // the step of the second record
  bytes[24 + 8 + 8 * 3 * kNodes + 3] = -1;
  write_file(path_, bytes);
  try {
    read();
    FAIL() << "a damaged record was read";
  } catch (const InputError& error) {
    EXPECT_NE(error.problem().find("record 1"), std::string::npos) << error.problem();
  }
}

}  // namespace
}  // namespace marrow
