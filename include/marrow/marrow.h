// Marrow from C++ (docs/library.md).
#pragma once

#include <marrow/collision.h>
#include <marrow/potential.h>
#include <marrow/results.h>
#include <marrow/run.h>
#include <marrow/scene.h>
#include <marrow/simulation.h>
#include <marrow/types.h>
#include <marrow/witness.h>
