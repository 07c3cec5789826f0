# What makes a cold build short: one precompiled header for all modules and one for all tests, and sources that are
# compiled several at a time. A source still includes all that it uses: clang-tidy reads each one alone
# (scripts/tidy.py) and finds what is missing.

option(TACIT_PRECOMPILE "Precompile the headers of the standard library, fmt and GoogleTest" ON)
option(TACIT_UNITY "Compile sources that are neighbours in a folder together" OFF)
set(TACIT_UNITY_BATCH 8 CACHE STRING "How many sources are compiled together at most")

# tacit_precompiled(NAME LINK libraries... OPTIONS compiler options... HEADERS headers...)
# Compiles the headers once; NAME is what tacit_precompile takes.
function(tacit_precompiled name)
  cmake_parse_arguments(ARG "" "" "LINK;OPTIONS;HEADERS" ${ARGN})
  if(NOT TACIT_PRECOMPILE)
    return()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  list(TRANSFORM ARG_HEADERS REPLACE "(.+)" "<\\1>")
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  tacit_cache_precompiled(${name})
endfunction()

# tacit_precompile(TARGET NAME): TARGET, whose options must be those of NAME, reads its headers.
function(tacit_precompile target name)
  if(TACIT_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
    tacit_cache_precompiled(${target})
    # The headers are compiled with -fPIC, for libraries; CMake would compile a program with -fPIE.
    get_target_property(type ${target} TYPE)
    if(type STREQUAL EXECUTABLE)
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
  endif()
endfunction()

# So that ccache looks into the headers; CMakeLists.txt sets the CCACHE_SLOPPINESS that this needs too.
function(tacit_cache_precompiled target)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  else()
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()

# tacit_join(TARGET sources...): compiles neighbours in a folder together, TACIT_UNITY_BATCH at most. Two of them must not
# give one name to two things, not even in unnamed namespaces.
function(tacit_join target)
  if(NOT TACIT_UNITY)
    return()
  endif()
  set(last_folder "")
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} DIRECTORY)
    if(NOT folder STREQUAL last_folder)
      set(last_folder ${folder})
      set(count 0)
    endif()
    math(EXPR batch "${count} / ${TACIT_UNITY_BATCH}")
    math(EXPR count "${count} + 1")
    file(RELATIVE_PATH group ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${group}_${batch}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

tacit_precompiled(precompiled_headers LINK tacit_flags
                  HEADERS algorithm array cmath cstddef cstdint fmt/format.h functional limits map memory optional set
                          span string string_view tl/expected.hpp utility variant vector)
