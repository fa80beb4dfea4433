// What a reader says against its input.
#pragma once

#include <string>

#include "core/error.h"

namespace marrow::test {

// The message of the InputError that the call throws; "accepted" if it throws none.
template <class Call>
std::string get_refusal(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace marrow::test
