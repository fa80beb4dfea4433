# cpp-httplib as Debian builds it: a shared library and its header, with OpenSSL, zlib and brotli compiled in; the
# header must be told so, or its classes have another layout. Gives the target Httplib::Httplib.
find_path(Httplib_INCLUDE_DIR httplib.h)
find_library(Httplib_LIBRARY cpp-httplib)
find_package(OpenSSL)
find_package(Threads REQUIRED)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Httplib REQUIRED_VARS Httplib_LIBRARY Httplib_INCLUDE_DIR OPENSSL_FOUND)

if(Httplib_FOUND AND NOT TARGET Httplib::Httplib)
  add_library(Httplib::Httplib INTERFACE IMPORTED)
  target_include_directories(Httplib::Httplib SYSTEM INTERFACE ${Httplib_INCLUDE_DIR})
  target_compile_definitions(Httplib::Httplib INTERFACE CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT
                             CPPHTTPLIB_BROTLI_SUPPORT)
  target_link_libraries(Httplib::Httplib INTERFACE ${Httplib_LIBRARY} OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
endif()
