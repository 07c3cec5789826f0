#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tacit {

// How far answers are off, as shares of the exact value: any number of them in little memory. Quantiles are right to a
// thousandth of themselves.
class RelativeErrors {
 public:
  // |answer - exact| / |exact|. Where exact is 0 there is none, and nothing is added.
  void add(double answer, double exact);

  std::uint64_t count() const { return count_; }
  // REQUIRES of all below: count() > 0.
  double mean() const { return sum_ / static_cast<double>(count_); }
  double median() const { return quantile(0.5); }
  double quantile(double share) const;  // 0 < share <= 1

 private:
  static constexpr double least_power = -12.0;  // smaller errors than its power of ten count as 0
  static constexpr double bins_of_power =
      5'000.0;  // a bin is a factor of 1.0005; 1 and 0.1 are in the middle of theirs
  static constexpr std::size_t bins = 130'000;

  std::array<std::uint32_t, bins> seen_{};
  std::uint64_t count_ = 0;
  double sum_ = 0.0;
};

}  // namespace tacit
