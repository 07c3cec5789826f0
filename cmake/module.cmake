# tacit_module(NAME [DEPENDS other modules...] [LINK third-party libraries...] [TEST_LINK libraries of the tests...]
#              [APART files or folders that are not compiled together with others...]
#              [JOIN_TESTS tests or folders of tests that are compiled together...])
# One folder of src/ is one static library tacit_NAME; its *_test.cpp files become the test program NAME_test.
function(tacit_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK;TEST_LINK;APART;JOIN_TESTS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  set(dependencies ${ARG_DEPENDS})
  list(TRANSFORM dependencies PREPEND tacit_)
  if(sources)
    add_library(tacit_${name} STATIC ${sources})
    target_link_libraries(tacit_${name} PUBLIC tacit_flags ${dependencies} ${ARG_LINK})
    tacit_precompile(tacit_${name} precompiled_headers)
    foreach(path IN LISTS ARG_APART)
      list(FILTER sources EXCLUDE REGEX "/${name}/${path}")
    endforeach()
    tacit_join(tacit_${name} ${sources})
  else()
    add_library(tacit_${name} INTERFACE)
    target_link_libraries(tacit_${name} INTERFACE tacit_flags ${dependencies} ${ARG_LINK})
  endif()

  if(TACIT_TESTS AND tests)
    tacit_test(${name}_test SOURCES ${tests} DEPENDS tacit_${name} ${ARG_TEST_LINK})
    if(ARG_JOIN_TESTS AND TARGET ${name}_test)
      list(JOIN ARG_JOIN_TESTS "|" joined)
      list(FILTER tests INCLUDE REGEX "/${name}/(${joined})")
      tacit_join(${name}_test ${tests})
    endif()
  endif()
endfunction()

# tacit_test(NAME SOURCES files... DEPENDS targets...)
function(tacit_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  # The time of CI is bounded. Under the sanitizers the code of these folders runs in the tests of whole answers; their own
  # tests are arithmetic, long to compile, and run in the release build.
  set(unsanitized metric_test mechanism_test sensitivity_test noise_test bench_test leaf_sql_test subquery_sql_test
      golden_plan_test users_loss_test)
  if(TACIT_SANITIZE AND name IN_LIST unsanitized)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE TACIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} GTest::gtest_main GTest::gmock rapidcheck rapidcheck_gtest)
  target_compile_options(${name} PRIVATE ${test_options})
  tacit_precompile(${name} precompiled_test_headers)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900)
  # The longest start first, so that no core waits for them at the end.
  if(name MATCHES "^(metric_soundness|users_soundness|engine|interval_coverage|users_loss|sampling|rows_soundness)_test$")
    set_tests_properties(${name} PROPERTIES COST 100)
  endif()
endfunction()

if(TACIT_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED CONFIG)
  # The tests themselves are compiled quickly; what they test is compiled as everywhere.
  # g++ 12 warns of what is not there in half-optimised standard strings.
  set(test_options -O1)
  if(TACIT_SANITIZE)
    set(test_options -O0)
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    list(APPEND test_options -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-maybe-uninitialized)
  endif()
  tacit_precompiled(precompiled_test_headers LINK tacit_flags GTest::gmock rapidcheck rapidcheck_gtest OPTIONS ${test_options}
                    HEADERS gmock/gmock.h gtest/gtest.h rapidcheck.h rapidcheck/gtest.h algorithm array cmath filesystem
                            fmt/format.h fstream functional map memory optional set string variant vector)
endif()
