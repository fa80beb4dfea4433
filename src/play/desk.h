// The desk stands between pages, which send messages at any time, and the run, which takes inputs between two
// steps. It knows which page holds what, and lets go for pages that have disappeared.
//
// A message is {"page": ID, "messages": [INPUT, …]}: inputs without a step, and {"do": "restart"},
// {"do": "speed", "speed": 0.5}. Whatever is wrong with it is answered and changes nothing. All functions may
// be called by several threads.
#pragma once

#include <chrono>
#include <map>
#include <mutex>

#include "core/clock.h"
#include "play/hands.h"

namespace marrow {

class Desk {
 public:
  // A page that has not been heard of for this long has disappeared.
  explicit Desk(std::vector<PlayBody> bodies, std::chrono::milliseconds patience = std::chrono::seconds(2));

  // What a page is told: an HTTP status and a JSON text.
  struct Answer {
    int status = 200;
    std::string text;
  };
  // From a page.
  Answer take_message(std::string_view text);

  // The page is there. Returns false if that is no name of a page.
  bool note_page(const std::string& page);

  // The inputs for a step, in the order in which they came. hands: those that the run has. What no page
  // holds is released.
  std::vector<Input> take_inputs(int step, const Hands& hands);

  // Simulated seconds per second, 0 < speed <= 1.
  double speed() const;

  // Whether somebody asked for a new start.
  bool is_restart_requested() const;
  // The scene starts anew: nothing is held, nothing waits.
  void start();

 private:
  std::string take_one(const std::string& page, const std::string& text);
  std::string take_input(const std::string& page, const Input& input);
  void drop_lost_pages();

  mutable std::mutex mutex_;
  const std::vector<PlayBody> bodies_;
  const std::chrono::milliseconds patience_;
  std::map<std::string, Clock::time_point> last_seen_;  // of pages
  std::map<Index, std::string> owners_;                 // page by body, with the inputs that wait
  std::vector<Input> waiting_;
  double speed_ = 1;
  bool is_restart_requested_ = false;
};

}  // namespace marrow
