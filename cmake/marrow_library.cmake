# The library that others link: one archive of all layers but the viewer's, and one of the witness alone. Their headers
# (include/marrow) hold declarations only, so nothing depends on the flags that others compile with.

set(MARROW_WITNESS_LAYERS core math exec mesh exact witness)
set(MARROW_LIBRARY_LAYERS ${MARROW_WITNESS_LAYERS} linalg geometry kinematics contact potentials solve sim preprocess scene
    output play run)

# marrow_public(target name layers…): the archive lib<name>.a of the objects of these layers and of the target's sources.
function(marrow_public target name)
  target_compile_definitions(${target} PRIVATE MARROW_BUILDS_ITSELF MARROW_VERSION="${PROJECT_VERSION}")
  target_compile_options(${target} PRIVATE ${MARROW_WARNINGS})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_compile_features(${target} INTERFACE cxx_std_20)
  foreach(layer ${ARGN})
    get_target_property(type marrow_${layer} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:marrow_${layer}>)
    endif()
    # What it includes, not what it links: its objects are here.
    target_include_directories(${target} SYSTEM PRIVATE $<TARGET_PROPERTY:marrow_${layer},INTERFACE_SYSTEM_INCLUDE_DIRECTORIES>)
  endforeach()
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${name}
                        ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
endfunction()

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/library/*.cpp)
add_library(marrow_library STATIC ${sources})
marrow_public(marrow_library marrow ${MARROW_LIBRARY_LAYERS})
target_link_libraries(marrow_library PRIVATE Eigen3::Eigen nlohmann_json::nlohmann_json fmt::fmt Cholmod::Cholmod
                      CGAL::CGAL ZLIB::ZLIB ${CMAKE_DL_LIBS})
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/library/witness/*.cpp)
add_library(marrow_witness_library STATIC ${sources})
marrow_public(marrow_witness_library marrow_witness ${MARROW_WITNESS_LAYERS})
target_sources(marrow_library PRIVATE ${sources})
target_link_libraries(marrow_witness_library PRIVATE Eigen3::Eigen fmt::fmt)
# Only who asks for them.
set_target_properties(marrow_library marrow_witness_library PROPERTIES EXCLUDE_FROM_ALL $<NOT:$<BOOL:${MARROW_TESTS}>>)

include(CMakePackageConfigHelpers)
install(TARGETS marrow_library marrow_witness_library EXPORT marrow_targets ARCHIVE DESTINATION lib COMPONENT library)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/marrow DESTINATION include COMPONENT library)
install(EXPORT marrow_targets NAMESPACE marrow:: FILE marrow_targets.cmake DESTINATION lib/cmake/marrow COMPONENT library)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/marrow-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_SOURCE_DIR}/cmake/marrow-config.cmake ${CMAKE_BINARY_DIR}/marrow-config-version.cmake
        ${CMAKE_SOURCE_DIR}/cmake/FindCholmod.cmake DESTINATION lib/cmake/marrow COMPONENT library)
install(TARGETS marrow RUNTIME DESTINATION bin COMPONENT program)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/build/page DESTINATION share/marrow COMPONENT program OPTIONAL)

# Man page and completion, which the program writes itself, where man and the shells look.
set(shell_files ${CMAKE_BINARY_DIR}/share)
install(CODE "file(MAKE_DIRECTORY \"${shell_files}\")
execute_process(COMMAND \"$<TARGET_FILE:marrow>\" help --man OUTPUT_FILE \"${shell_files}/marrow.1\" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND \"$<TARGET_FILE:marrow>\" completion bash OUTPUT_FILE \"${shell_files}/marrow\" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND \"$<TARGET_FILE:marrow>\" completion zsh OUTPUT_FILE \"${shell_files}/_marrow\" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND \"$<TARGET_FILE:marrow>\" completion fish OUTPUT_FILE \"${shell_files}/marrow.fish\" COMMAND_ERROR_IS_FATAL ANY)"
        COMPONENT program)
install(FILES ${shell_files}/marrow.1 DESTINATION share/man/man1 COMPONENT program)
install(FILES ${shell_files}/marrow DESTINATION share/bash-completion/completions COMPONENT program)
install(FILES ${shell_files}/_marrow DESTINATION share/zsh/site-functions COMPONENT program)
install(FILES ${shell_files}/marrow.fish DESTINATION share/fish/vendor_completions.d COMPONENT program)
