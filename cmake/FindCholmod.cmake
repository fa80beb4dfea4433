# CHOLMOD of SuiteSparse, and OpenBLAS, which then serves CHOLMOD too: target Cholmod::Cholmod.
find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
find_library(CHOLMOD_LIBRARY cholmod)
find_library(OPENBLAS_LIBRARY openblas)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cholmod REQUIRED_VARS CHOLMOD_LIBRARY OPENBLAS_LIBRARY CHOLMOD_INCLUDE_DIR)
if(Cholmod_FOUND AND NOT TARGET Cholmod::Cholmod)
  add_library(Cholmod::Cholmod UNKNOWN IMPORTED)
  set_target_properties(Cholmod::Cholmod PROPERTIES IMPORTED_LOCATION ${CHOLMOD_LIBRARY}
                        INTERFACE_LINK_LIBRARIES ${OPENBLAS_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${CHOLMOD_INCLUDE_DIR})
endif()
