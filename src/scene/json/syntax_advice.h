// What is usually meant where JSON cannot be read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace marrow {

struct SyntaxAdvice {
  size_t offset = 0;  // where to look
  std::string problem;
  std::string advice;
};

// offset: of the token that the parser did not understand; text.size() if the text ended too early. Nothing
// if the mistake is none of the usual ones.
std::optional<SyntaxAdvice> explain_syntax(std::string_view text, size_t offset);

}  // namespace marrow
