#pragma once

#include <duckdb.h>

// Every function of DuckDB's C API that Tacit calls: result, name, parameters, arguments. DuckDB is not linked with:
// the library is loaded when it is first needed (library.hpp), and each of these is forwarded to it (forward.cpp). A
// function that is not listed does not link. All of them have had this signature since DuckDB 1.4, in the headers
// of 1.4, 1.5 and 2.0.
// clang-format off
#define TACIT_DUCKDB_FUNCTIONS(F)                                                                                      \
  F(const char*, duckdb_library_version, (), ())                                                                       \
  F(duckdb_state, duckdb_create_config, (duckdb_config* out_config), (out_config))                                    \
  F(duckdb_state, duckdb_set_config, (duckdb_config config, const char* name, const char* option),                     \
    (config, name, option))                                                                                            \
  F(void, duckdb_destroy_config, (duckdb_config* config), (config))                                                   \
  F(duckdb_state, duckdb_open, (const char* path, duckdb_database* out_database), (path, out_database))                \
  F(duckdb_state, duckdb_open_ext,                                                                                     \
    (const char* path, duckdb_database* out_database, duckdb_config config, char** out_error),                         \
    (path, out_database, config, out_error))                                                                           \
  F(void, duckdb_close, (duckdb_database* database), (database))                                                      \
  F(duckdb_state, duckdb_connect, (duckdb_database database, duckdb_connection* out_connection),                      \
    (database, out_connection))                                                                                        \
  F(void, duckdb_disconnect, (duckdb_connection* connection), (connection))                                           \
  F(void, duckdb_interrupt, (duckdb_connection connection), (connection))                                              \
  F(duckdb_state, duckdb_query, (duckdb_connection connection, const char* query, duckdb_result* out_result),          \
    (connection, query, out_result))                                                                                   \
  F(duckdb_state, duckdb_prepare,                                                                                      \
    (duckdb_connection connection, const char* query, duckdb_prepared_statement* out_prepared_statement),              \
    (connection, query, out_prepared_statement))                                                                       \
  F(const char*, duckdb_prepare_error, (duckdb_prepared_statement prepared_statement), (prepared_statement))           \
  F(duckdb_statement_type, duckdb_prepared_statement_type, (duckdb_prepared_statement statement), (statement))         \
  F(duckdb_state, duckdb_execute_prepared, (duckdb_prepared_statement prepared_statement, duckdb_result* out_result), \
    (prepared_statement, out_result))                                                                                  \
  F(void, duckdb_destroy_prepare, (duckdb_prepared_statement* prepared_statement), (prepared_statement))              \
  F(duckdb_data_chunk, duckdb_fetch_chunk, (duckdb_result result), (result))                                           \
  F(const char*, duckdb_result_error, (duckdb_result* result), (result))                                              \
  F(idx_t, duckdb_column_count, (duckdb_result* result), (result))                                                    \
  F(idx_t, duckdb_row_count, (duckdb_result* result), (result))                                                       \
  F(char*, duckdb_value_varchar, (duckdb_result* result, idx_t col, idx_t row), (result, col, row))                   \
  F(void, duckdb_destroy_result, (duckdb_result* result), (result))                                                   \
  F(idx_t, duckdb_data_chunk_get_size, (duckdb_data_chunk chunk), (chunk))                                             \
  F(duckdb_vector, duckdb_data_chunk_get_vector, (duckdb_data_chunk chunk, idx_t col_idx), (chunk, col_idx))           \
  F(void, duckdb_destroy_data_chunk, (duckdb_data_chunk* chunk), (chunk))                                             \
  F(duckdb_logical_type, duckdb_vector_get_column_type, (duckdb_vector vector), (vector))                              \
  F(void*, duckdb_vector_get_data, (duckdb_vector vector), (vector))                                                   \
  F(uint64_t*, duckdb_vector_get_validity, (duckdb_vector vector), (vector))                                           \
  F(bool, duckdb_validity_row_is_valid, (uint64_t * validity, idx_t row), (validity, row))                             \
  F(duckdb_type, duckdb_get_type_id, (duckdb_logical_type type), (type))                                               \
  F(duckdb_type, duckdb_decimal_internal_type, (duckdb_logical_type type), (type))                                     \
  F(uint8_t, duckdb_decimal_scale, (duckdb_logical_type type), (type))                                                 \
  F(void, duckdb_destroy_logical_type, (duckdb_logical_type* type), (type))                                           \
  F(const char*, duckdb_string_t_data, (duckdb_string_t* string), (string))                                           \
  F(uint32_t, duckdb_string_t_length, (duckdb_string_t string), (string))                                              \
  F(bool, duckdb_is_finite_date, (duckdb_date date), (date))                                                           \
  F(bool, duckdb_is_finite_timestamp, (duckdb_timestamp ts), (ts))                                                     \
  F(duckdb_state, duckdb_appender_create,                                                                              \
    (duckdb_connection connection, const char* schema, const char* table, duckdb_appender* out_appender),              \
    (connection, schema, table, out_appender))                                                                         \
  F(duckdb_state, duckdb_appender_end_row, (duckdb_appender appender), (appender))                                     \
  F(duckdb_state, duckdb_appender_destroy, (duckdb_appender* appender), (appender))                                   \
  F(duckdb_state, duckdb_append_null, (duckdb_appender appender), (appender))                                          \
  F(duckdb_state, duckdb_append_bool, (duckdb_appender appender, bool value), (appender, value))                       \
  F(duckdb_state, duckdb_append_int64, (duckdb_appender appender, int64_t value), (appender, value))                   \
  F(duckdb_state, duckdb_append_double, (duckdb_appender appender, double value), (appender, value))                   \
  F(duckdb_state, duckdb_append_date, (duckdb_appender appender, duckdb_date value), (appender, value))                \
  F(duckdb_state, duckdb_append_timestamp, (duckdb_appender appender, duckdb_timestamp value), (appender, value))      \
  F(duckdb_state, duckdb_append_varchar_length, (duckdb_appender appender, const char* val, idx_t length),             \
    (appender, val, length))                                                                                           \
  F(duckdb_state, duckdb_append_value, (duckdb_appender appender, duckdb_value value), (appender, value))              \
  F(duckdb_value, duckdb_create_decimal, (duckdb_decimal input), (input))                                              \
  F(void, duckdb_destroy_value, (duckdb_value* value), (value))                                                       \
  F(void, duckdb_free, (void* ptr), (ptr))
// clang-format on
