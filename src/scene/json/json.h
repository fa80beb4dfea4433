// Our thin layer over the JSON library: documents whose values know where they are, so that every complaint
// about one carries file, line, column and path.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "math/expression.h"
#include "scene/json/json_path.h"
#include "scene/json/json_text.h"

namespace marrow {

class JsonNode;

class JsonDocument {
 public:
  // Parses the text; // and /* */ comments are allowed, duplicate keys are not. Throws InputError.
  JsonDocument(std::string text, std::string file);
  ~JsonDocument();
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  // Sets one value by "path=value"; a value that is not JSON counts as text. Objects on the way are created,
  // elements of lists are not. Throws InputError.
  void set(const std::string& assignment);

  JsonNode root() const;
  const std::string& file() const { return file_; }

  // Whether there is a value at that path.
  bool has(const JsonPath& path) const;

  // Where a value or its key is: in the file, or in the assignment that set it.
  Location locate(const JsonPath& path, JsonPart part = JsonPart::Value) const;

 private:
  struct Assignment {
    JsonPath place;    // the outermost value it made
    std::string text;  // as given
  };

  std::string text_;
  std::string file_;
  std::unique_ptr<nlohmann::json> root_;
  std::vector<Assignment> assignments_;
};

// A value of a document.
class JsonNode {
 public:
  enum class Kind { Null, Boolean, Number, Text, List, Object };

  JsonNode(const JsonDocument& document, const nlohmann::json& value, JsonPath path)
      : document_(&document), value_(&value), path_(std::move(path)) {}

  Kind kind() const;
  bool boolean() const;                   // of a boolean
  double number() const;                  // of a number
  std::string text() const;               // of a text
  int size() const;                       // of a list
  JsonNode element(int index) const;      // knows the variables of its list
  std::vector<std::string> keys() const;  // of an object, sorted
  std::optional<JsonNode> member(const std::string& key) const;

  // What expressions in it may name; null if nothing.
  const Variables* variables() const { return variables_; }
  // The same value where expressions may name these, which must outlive it.
  JsonNode with(const Variables& variables) const;

  const JsonPath& path() const { return path_; }
  const JsonDocument& document() const { return *document_; }

  // What the value is, for messages: "the number 3", "the text \"x\"", "a list of 2", "an object".
  std::string found() const;

  // Throws InputError about this value, or about the key of one of its members.
  [[noreturn]] void fail(const std::string& problem, const std::string& advice) const;
  [[noreturn]] void fail_at_key(const std::string& key, const std::string& problem,
                                const std::string& advice) const;

 private:
  JsonPath path_to(JsonStep step) const;
  JsonNode inner(const nlohmann::json& value, JsonStep step) const;

  const JsonDocument* document_;
  const nlohmann::json* value_;
  JsonPath path_;
  const Variables* variables_ = nullptr;
};

}  // namespace marrow
