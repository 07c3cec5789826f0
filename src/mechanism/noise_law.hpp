#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace tacit {

// Every noise law, in the order in which they are listed for people. A law NAME is two objects, each defined in a file
// of the law's own:
//
//   const NoiseRule& NAME_rule();   what is proved and computed of it: mechanism/noise_rule.hpp
//   LawSampler NAME_sampler();      how it is drawn: noise/sampling/law_sampler.hpp
//
// A line here declares both and puts them into the tables of rule_of and sampler_of, so a program without one of them
// does not link.
#define TACIT_NOISE_LAWS(LAW)                                                           \
  LAW(geometric)     /* P(k) ~ exp(-|k| epsilon / sensitivity) on the integers */       \
  LAW(laplace)       /* density ~ exp(-|y| epsilon / sensitivity), rounded to a grid */ \
  LAW(power_laplace) /* the smallest noise for a bound that moves with the data */      \
  LAW(gen_cauchy)    /* density ~ 1 / (1 + y^4) */                                      \
  LAW(student_t)     /* 3 degrees of freedom */                                         \
  LAW(gaussian)      /* normal, rounded to a grid */                                    \
  LAW(exponential)   /* a choice among public values, weighted by rank */               \
  LAW(laplace_delta) /* Laplace for a bound that moves with the data, with a delta */

#define TACIT_ENUMERATOR(law) law,
enum class NoiseLaw { TACIT_NOISE_LAWS(TACIT_ENUMERATOR) };
#undef TACIT_ENUMERATOR

std::span<const NoiseLaw> all_noise_laws();  // in that order

const char* name_of(NoiseLaw law);  // "geometric", "power-laplace", ...
std::optional<NoiseLaw> law_named(std::string_view name);

}  // namespace tacit
