#pragma once

namespace tacit::soundness::metric {

// The noise of one output: f(x) + (c(x) / b) Y. Written from the theory, not from Tacit's samplers.
struct Noise {
  enum class Law { laplace, power_laplace, general_cauchy, student };
  Law law = Law::laplace;
  double epsilon = 1.0;  // of this output
  double beta = 0.0;     // smoothness of c, in the unit of the distance; 0: c is a constant
  double b = 1.0;        // power_laplace: 1
  double shape = 4.0;    // general_cauchy: gamma; student: degrees of freedom
};

// ln of the density of the output at y, for the value f and the bound c > 0.
double log_density(const Noise& noise, double f, double c, double y);

}  // namespace tacit::soundness::metric
