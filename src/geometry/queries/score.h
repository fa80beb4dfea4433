// Runs sets of collision queries and holds the answers against the truth.
#pragma once

#include "geometry/queries/queries.h"

namespace marrow {

struct CcdScore {
  size_t queries = 0;
  size_t unknown = 0;    // queries without a known answer; they count in none of the next three
  size_t positives = 0;  // pairs that touch
  size_t false_positives = 0;
  size_t false_negatives = 0;
  size_t hits = 0;          // pairs reported as touching
  double earliest_toi = 1;  // of the hits
  double mean_us = 0;       // time a query over passes through the whole set
  double worst_us = 0;      // the slowest query, timed alone, best of three
  double mean_iterations = 0;
  int worst_iterations = 0;

  void add(const CcdScore& other);
};

CcdScore score_ccd(const CcdQuerySet& set, const CcdOptions& options);

}  // namespace marrow
