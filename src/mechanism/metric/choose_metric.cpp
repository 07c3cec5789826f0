#include "mechanism/metric/choose_metric.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "mechanism/interval_coverage.hpp"
#include "mechanism/noise_rule.hpp"
#include "sensitivity/metric/smooth_plan.hpp"
#include "sensitivity/metric/summed_value.hpp"

namespace tacit {
namespace {

constexpr double most_eta = 0.01;  // as a share of epsilon

// The smallest noise for a bound that is one number, and for one that moves with the data (choose_metric.md).
constexpr NoiseLaw constant_law = NoiseLaw::laplace;
constexpr NoiseLaw smooth_law = NoiseLaw::power_laplace;

// Steps of the cells' grids; negative for doubles (smooth_plan.hpp).
std::vector<double> steps_of(const MetricAnalysis& analysis) {
  std::vector<double> steps;
  for (const auto& cell : analysis.cells) {
    const Grid grid = grid_of(cell);
    steps.push_back(grid.base == Grid::Base::decimal ? step_of(grid) : -step_of(grid));
  }
  return steps;
}

// What rounding adds to the loss of one output (docs/theory/sampling.md, "What doubles cost in the metric model").
double eta_of(const SmoothCell& cell, Epsilon epsilon, Beta beta) {
  const double c = cell.is_constant ? std::max(cell.constant, cell.least) : cell.least;
  const double from_jump = cell.jump > 0.0 ? cell.jump / c : 0.0;
  const double from_bound = cell.is_constant ? 0.0 : 2.0 * cell.rounding / beta.value();
  return epsilon.value() * (from_jump + from_bound);
}

tl::unexpected<Failure> impossible(NoiseLaw law, std::string_view why) {
  return fail({FailureCode::usage,
               fmt::format("the policy asks for {} noise, which is not possible here: {}", name_of(law), why),
               "metric.mechanism", "leave mechanism out: the best law is chosen then"});
}

std::vector<Alternative> alternatives(const MetricNoise& chosen, const SmoothCell& cell, Epsilon epsilon, Beta beta,
                                      Delta delta) {
  std::vector<Alternative> others;
  for (const NoiseLaw law : all_noise_laws()) {
    const BoundNoise* bounds = rule_of(law).for_bounds();
    if (bounds == nullptr || !bounds->is_smooth() || law == chosen.law) continue;
    const auto b = bounds->b_down(epsilon, beta, delta);
    if (!b) continue;
    const double factor = bounds->magnitude(epsilon, beta, *b, interval_coverage);
    const double scale = cell.is_constant ? std::max(cell.constant, cell.least) : 1.0;
    others.push_back({name_of(law), factor * scale,
                      cell.is_constant
                          ? "one number bounds every database: a smooth bound near it would need more noise"
                          : "more noise for the same bound; the figure is a multiple of it"});
  }
  if (!cell.is_constant) {
    const bool finite = std::isfinite(cell.constant);
    const BoundNoise& laplace = bound_noise(constant_law);
    others.push_back({name_of(constant_law),
                      finite ? laplace.magnitude(epsilon, Beta(), epsilon.value(), interval_coverage) * cell.constant
                             : std::numeric_limits<double>::infinity(),
                      finite ? "the bound can fall far below this one number, and smoothness costs at most a fifth more"
                             : "no one number bounds every database: declared bounds would make one"});
  }
  return others;
}

// The bounds with their rates, as the engine computes them.
Derivation explain_bound(const SmoothCell& cell, const MetricAnalysis& analysis, Beta beta) {
  if (cell.is_constant) {
    return {"constant bound", fmt::format("c = {:.6g} for every database", std::max(cell.constant, cell.least)), {}};
  }
  Derivation bound{"smooth bound",
                   fmt::format("ln c moves by at most {:.4g} per unit of distance; c is never below {:.3g}",
                               beta.value(), cell.least),
                   {}};
  for (const auto& role : cell.roles) {
    const char* over =
        role.level == SmoothRole::Level::keyed ? "greatest over its rows of" : "greatest over joined rows of";
    if (role.level == SmoothRole::Level::each_row) over = "dual norm over rows of";
    bound.children.push_back({fmt::format("rows of {}", to_string(analysis.flat.roles[role.role].table->name)),
                              fmt::format("{} {}", over, to_string(*role.bound)),
                              {}});
  }
  return bound;
}

// Each output's part of epsilon.
class Shares {
 public:
  Shares(const MetricAnalysis& analysis, Epsilon epsilon) : analysis_(analysis) {
    for (const auto& cell : analysis.cells)
      epsilons_.emplace_back(std::nextafter(epsilon.value() / cell.epsilon_divisor, 0.0));
  }

  Epsilon epsilon(std::size_t cell) const { return epsilons_[cell]; }
  Beta beta(std::size_t cell) const { return Beta(analysis_.beta_share * epsilons_[cell].value()); }
  std::vector<Beta> betas() const {
    std::vector<Beta> betas;
    for (std::size_t i = 0; i < epsilons_.size(); ++i) betas.push_back(beta(i));
    return betas;
  }

  // True when the shares were made smaller; then nothing is left to pay.
  bool pay_for_rounding(const SmoothPlan& plan) {
    if (!analysis_.least_distance) return false;
    std::vector<Epsilon> smaller;
    for (std::size_t i = 0; i < epsilons_.size(); ++i) {
      const double price = 1.05 * eta_of(plan.cells[i], epsilons_[i], beta(i)) / *analysis_.least_distance;
      if (price > 0.01 * epsilons_[i].value()) return false;
      smaller.emplace_back(epsilons_[i].value() - price);
    }
    epsilons_ = std::move(smaller);
    paid_ = true;
    return true;
  }

  // What rounding adds to the loss of the whole answer: every output of every group that a cell can move.
  double eta(const SmoothPlan& plan) const {
    double total = 0.0;
    for (std::size_t i = 0; i < epsilons_.size() && !paid_; ++i) {
      total += analysis_.cells[i].epsilon_divisor * eta_of(plan.cells[i], epsilons_[i], beta(i));
    }
    return total;
  }

 private:
  const MetricAnalysis& analysis_;
  std::vector<Epsilon> epsilons_;
  bool paid_ = false;
};

Result<MetricNoise> noise_for(const SmoothCell& cell, Epsilon epsilon, Beta beta, Delta delta, NoiseLaw law) {
  MetricNoise noise;
  noise.epsilon = epsilon;
  noise.b = epsilon.value();
  noise.least = cell.least;
  if (cell.is_constant) {
    noise.law = constant_law;
    noise.constant = std::max(cell.constant, cell.least);
    return noise;
  }
  if (!bound_noise(law).is_smooth()) return impossible(law, "no one number bounds every database");
  const auto b = bound_noise(law).b_down(epsilon, beta, delta);
  if (!b) return impossible(law, "beta is too large for it, or delta too small");
  noise.law = law;
  noise.beta = beta;
  noise.b = *b;
  return noise;
}

}  // namespace

double metric_noise_magnitude(const MetricNoise& noise, double probability) {
  return bound_noise(noise.law).magnitude(noise.epsilon, noise.beta, noise.b, probability);
}

Result<MechanismPlan> choose_metric_mechanism(AnalyzedQuery analyzed, Epsilon epsilon, Delta delta,
                                              std::optional<NoiseLaw> wanted) {
  const auto& analysis = analysis_of<MetricAnalysis>(analyzed);
  const NoiseLaw law = wanted.value_or(smooth_law);
  const BoundChoice asked = bound_noise(law).is_smooth() ? BoundChoice::smooth : BoundChoice::constant;
  const BoundChoice choice = wanted ? asked : BoundChoice::automatic;
  const auto steps = steps_of(analysis);
  Shares shares(analysis, epsilon);
  TACIT_TRY(SmoothPlan smooth, plan_smooth_bounds(analysis, steps, shares.betas(), choice));
  // Where the types keep different databases apart, a little less epsilon pays for rounding.
  if (shares.pay_for_rounding(smooth)) {
    TACIT_TRY(smooth, plan_smooth_bounds(analysis, steps, shares.betas(), choice));
  }

  MechanismPlan plan;
  MetricPlan metric;
  plan.epsilon = epsilon;
  plan.eta = shares.eta(smooth);
  if (!(plan.eta <= most_eta * epsilon.value())) {
    return refuse("rounding would add more than a hundredth of epsilon to the loss of this answer",
                  "ask with a larger epsilon, or for fewer numbers and groups at once");
  }
  std::size_t next_bound = analysis.cells.size();
  for (std::size_t i = 0; i < analysis.first_cells.size(); ++i) {
    MetricAggregatePlan aggregate;
    aggregate.first_cell = analysis.first_cells[i];
    const std::size_t end = i + 1 < analysis.first_cells.size() ? analysis.first_cells[i + 1] : analysis.cells.size();
    for (std::size_t j = aggregate.first_cell; j < end; ++j) {
      TACIT_TRY(MetricNoise noise, noise_for(smooth.cells[j], shares.epsilon(j), shares.beta(j), delta, law));
      noise.grid = grid_of(analysis.cells[j]);
      if (!noise.constant) noise.bound_cell = next_bound++;
      if (bound_noise(noise.law).costs_delta()) {
        plan.delta = Delta(plan.delta.value() + delta.value() * analysis.cells[j].epsilon_divisor);
      }
      analyzed.derivation.children[j].children.push_back(explain_bound(smooth.cells[j], analysis, shares.beta(j)));
      aggregate.noises.push_back(noise);
    }
    const std::size_t first = aggregate.first_cell;
    for (auto& other : alternatives(aggregate.noises.front(), smooth.cells[first], shares.epsilon(first),
                                    shares.beta(first), delta)) {
      if (analysis.first_cells.size() > 1) other.name += fmt::format(" for aggregate {}", i + 1);
      plan.alternatives.push_back(std::move(other));
    }
    metric.aggregates.push_back(std::move(aggregate));
  }
  const bool constant = next_bound == analysis.cells.size();
  for (MetricAggregatePlan& aggregate : metric.aggregates) {
    if (is_extremum(analysis.cells[aggregate.first_cell])) aggregate.empty_cell = next_bound++;
  }
  plan.why = constant
                 ? "One number bounds the sensitivity of every database, so Laplace noise is the smallest."
                 : fmt::format(
                       "The bound c moves with the data (beta is {:.4g} of epsilon); no other symmetric noise for such "
                       "a bound is smaller than power-laplace.",
                       analysis.beta_share);
  metric.smooth = std::move(smooth);
  plan.model = std::move(metric);
  plan.analyzed = std::move(analyzed);
  return plan;
}

}  // namespace tacit
