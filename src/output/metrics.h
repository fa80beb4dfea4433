// metrics.jsonl: one JSON object per step, one per line.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "output/appended_file.h"

namespace marrow {

// What is recorded of a step. Names in the maps become keys of nested objects.
struct StepMetrics {
  int step = 0;
  double time = 0;  // [s] simulated
  std::string verdict;
  int iterations = 0;
  double residual = 0;
  double wall_time = 0;                   // [s] the whole step
  std::map<std::string, double> energy;   // [J] by name
  std::map<std::string, double> counts;   // for example "factorisations"
  std::map<std::string, double> seconds;  // by trace scope
};

// One line of the file, without the line end. Numbers that are not finite become null.
std::string format_metrics(const StepMetrics& metrics);

class MetricsFile {
 public:
  // Opens for appending after keeping only the whole lines of steps up to last_step; 0 starts anew. Throws
  // OutputError.
  MetricsFile(const std::string& path, int last_step);

  void add(const StepMetrics& metrics);

 private:
  AppendedFile file_;
};

}  // namespace marrow
