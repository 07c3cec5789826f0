#pragma once

#include <libpq-fe.h>

// Every function of libpq that Tacit calls: result, name, parameters, arguments. Tacit is not linked with libpq: each
// of these is forwarded to the library once it is loaded (load_libpq.hpp). A function that is not listed does not link.
// clang-format off
#define TACIT_LIBPQ_FUNCTIONS(F) \
  F(int, PQcancel, (PGcancel* cancel, char* error, int error_size), (cancel, error, error_size))                        \
  F(void, PQclear, (PGresult* result), (result))                                                                        \
  F(int, PQconnectionNeedsPassword, (const PGconn* connection), (connection))                                           \
  F(PostgresPollingStatusType, PQconnectPoll, (PGconn* connection), (connection))                                       \
  F(PGconn*, PQconnectStartParams,                                                                                      \
    (const char* const* keywords, const char* const* values, int expand_dbname),                                        \
    (keywords, values, expand_dbname))                                                                                  \
  F(PQconninfoOption*, PQconninfo, (PGconn* connection), (connection))                                                  \
  F(void, PQconninfoFree, (PQconninfoOption* options), (options))                                                       \
  F(PQconninfoOption*, PQconninfoParse, (const char* conninfo, char** error), (conninfo, error))                        \
  F(int, PQconsumeInput, (PGconn* connection), (connection))                                                            \
  F(char*, PQerrorMessage, (const PGconn* connection), (connection))                                                    \
  F(void, PQfinish, (PGconn* connection), (connection))                                                                 \
  F(int, PQflush, (PGconn* connection), (connection))                                                                   \
  F(int, PQfmod, (const PGresult* result, int field), (result, field))                                                  \
  F(void, PQfreeCancel, (PGcancel* cancel), (cancel))                                                                   \
  F(Oid, PQftable, (const PGresult* result, int field), (result, field))                                                \
  F(Oid, PQftype, (const PGresult* result, int field), (result, field))                                                 \
  F(PGcancel*, PQgetCancel, (PGconn* connection), (connection))                                                         \
  F(int, PQgetisnull, (const PGresult* result, int row, int field), (result, row, field))                               \
  F(int, PQgetlength, (const PGresult* result, int row, int field), (result, row, field))                               \
  F(PGresult*, PQgetResult, (PGconn* connection), (connection))                                                         \
  F(char*, PQgetvalue, (const PGresult* result, int row, int field), (result, row, field))                              \
  F(char*, PQhost, (const PGconn* connection), (connection))                                                            \
  F(int, PQisBusy, (PGconn* connection), (connection))                                                                  \
  F(int, PQnfields, (const PGresult* result), (result))                                                                 \
  F(int, PQntuples, (const PGresult* result), (result))                                                                 \
  F(const char*, PQparameterStatus, (const PGconn* connection, const char* name), (connection, name))                   \
  F(char*, PQport, (const PGconn* connection), (connection))                                                            \
  F(char*, PQresultErrorField, (const PGresult* result, int field), (result, field))                                    \
  F(ExecStatusType, PQresultStatus, (const PGresult* result), (result))                                                 \
  F(int, PQsendQuery, (PGconn* connection, const char* query), (connection, query))                                     \
  F(int, PQsendQueryParams,                                                                                             \
    (PGconn* connection, const char* command, int count, const Oid* types, const char* const* values, const int* lengths, const int* formats, int result_format), \
    (connection, command, count, types, values, lengths, formats, result_format))                                       \
  F(int, PQserverVersion, (const PGconn* connection), (connection))                                                     \
  F(PGVerbosity, PQsetErrorVerbosity, (PGconn* connection, PGVerbosity verbosity), (connection, verbosity))             \
  F(int, PQsetnonblocking, (PGconn* connection, int argument), (connection, argument))                                  \
  F(PQnoticeProcessor, PQsetNoticeProcessor,                                                                            \
    (PGconn* connection, PQnoticeProcessor processor, void* argument),                                                  \
    (connection, processor, argument))                                                                                  \
  F(int, PQsetSingleRowMode, (PGconn* connection), (connection))                                                        \
  F(int, PQsocket, (const PGconn* connection), (connection))                                                            \
  F(ConnStatusType, PQstatus, (const PGconn* connection), (connection))                                                 \
  F(PGTransactionStatusType, PQtransactionStatus, (const PGconn* connection), (connection))
// clang-format on
