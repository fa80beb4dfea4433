// Reads bodies.csv, contacts.csv and joints.csv (output/run/results.h) row by row.
#pragma once

#include <string>
#include <vector>

namespace marrow {

class ResultsReader {
 public:
  // Throws InputError if the file cannot be read, or a column is not there.
  ResultsReader(const std::string& path, const std::vector<std::string>& columns);

  // The next whole row: false at the end. A last line without its end is passed over.
  bool next();

  // Of the present row, by the columns that were asked for. A field that is empty or no number is not a
  // number.
  const std::string& text(size_t column) const { return fields_[places_[column]]; }
  double number(size_t column) const;

 private:
  bool read_fields();

  std::string text_;
  size_t at_ = 0;
  std::vector<std::string> fields_;
  std::vector<size_t> places_;
};

}  // namespace marrow
