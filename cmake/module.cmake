# tacit_module(NAME [DEPENDS other modules...] [LINK third-party libraries...] [TEST_LINK libraries of the tests...])
# One folder of src/ is one static library tacit_NAME; its *_test.cpp files become the test program NAME_test.
function(tacit_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK;TEST_LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  set(dependencies ${ARG_DEPENDS})
  list(TRANSFORM dependencies PREPEND tacit_)
  if(sources)
    add_library(tacit_${name} STATIC ${sources})
    target_link_libraries(tacit_${name} PUBLIC tacit_flags ${dependencies} ${ARG_LINK})
  else()
    add_library(tacit_${name} INTERFACE)
    target_link_libraries(tacit_${name} INTERFACE tacit_flags ${dependencies} ${ARG_LINK})
  endif()

  if(TACIT_TESTS AND tests)
    tacit_test(${name}_test SOURCES ${tests} DEPENDS tacit_${name} ${ARG_TEST_LINK})
  endif()
endfunction()

# tacit_test(NAME SOURCES files... DEPENDS targets...)
function(tacit_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  # The time of CI is bounded. Under the sanitizers the code of these folders runs in the tests of whole answers; their own
  # tests are arithmetic, long to compile, and run in the release build.
  set(unsanitized metric_test mechanism_test sensitivity_test noise_test bench_test leaf_sql_test subquery_sql_test
      golden_plan_test)
  if(TACIT_SANITIZE AND name IN_LIST unsanitized)
    return()
  endif()
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED CONFIG)
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE TACIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} GTest::gtest_main GTest::gmock rapidcheck rapidcheck_gtest)
  # The tests themselves are compiled quickly; what they test is compiled as everywhere.
  # g++ 12 warns of what is not there in half-optimised standard strings.
  set(optimisation -O1)
  if(TACIT_SANITIZE)
    set(optimisation -O0)
  endif()
  target_compile_options(${name} PRIVATE ${optimisation} -Wno-array-bounds
                         -Wno-stringop-overflow -Wno-stringop-overread -Wno-maybe-uninitialized)
  list(LENGTH ARG_SOURCES source_count)
  if(source_count GREATER 3)
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h> <gmock/gmock.h> <map> <memory> <optional> <string>
                              <variant> <vector>)
    target_compile_options(${name} PRIVATE -fpch-preprocess)  # ccache looks into it
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900)
endfunction()
