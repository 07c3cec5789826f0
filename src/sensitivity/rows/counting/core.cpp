#include "sensitivity/rows/counting/core.hpp"

#include <algorithm>
#include <optional>

#include "base/work_limit.hpp"

namespace tacit {
namespace {

constexpr CqTerm unmapped = static_cast<CqTerm>(-1);
using Mapping = std::vector<CqTerm>;

// Looks for a homomorphism into the atoms without one of them.
class FoldSearch {
 public:
  FoldSearch(const ConjunctiveQuery& query, std::size_t without, std::size_t& tries)
      : query_(query), without_(without), tries_(tries), mapping_(query.terms.size(), unmapped) {
    const auto fixed = fixed_terms(query);
    for (CqTerm term = 0; term < fixed.size(); ++term) {
      if (fixed[term]) mapping_[term] = term;
    }
    image_.assign(query.atoms.size(), none);
    list_constrained_columns(fixed);
  }

  // The image of each atom; empty where there is none, or the tries are used up.
  std::optional<std::vector<std::size_t>> find() {
    if (!extend(0)) return std::nullopt;
    return image_;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // A term that occurs once, and may be anything, fits everywhere.
  void list_constrained_columns(const std::vector<bool>& fixed) {
    std::vector<std::size_t> count(query_.terms.size(), 0);
    for (const CqAtom& atom : query_.atoms) {
      for (const CqTerm term : atom.terms) ++count[term];
    }
    for (const CqAtom& atom : query_.atoms) {
      auto& columns = constrained_.emplace_back();
      for (std::size_t i = 0; i < atom.terms.size(); ++i) {
        const CqTerm term = atom.terms[i];
        if (count[term] > 1 || fixed[term] || query_.terms[term].not_null) columns.push_back(i);
      }
    }
  }

  bool fits(std::size_t from, std::size_t to) const {
    const CqAtom& source = query_.atoms[from];
    const CqAtom& target = query_.atoms[to];
    if (to == without_ || source.relation != target.relation) return false;
    for (const std::size_t column : constrained_[from]) {
      const CqTerm term = source.terms[column];
      const CqTerm wanted = target.terms[column];
      if (mapping_[term] != unmapped ? mapping_[term] != wanted : !keeps_null_out(term, wanted)) return false;
    }
    return is_consistent(from, to);
  }

  // A term that the atom has twice has one image.
  bool is_consistent(std::size_t from, std::size_t to) const {
    const auto& columns = constrained_[from];
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (std::size_t j = i + 1; j < columns.size(); ++j) {
        if (query_.atoms[from].terms[columns[i]] == query_.atoms[from].terms[columns[j]] &&
            query_.atoms[to].terms[columns[i]] != query_.atoms[to].terms[columns[j]]) {
          return false;
        }
      }
    }
    return true;
  }

  bool keeps_null_out(CqTerm term, CqTerm wanted) const {
    return !query_.terms[term].not_null || query_.terms[wanted].not_null || query_.terms[wanted].is_constant;
  }

  bool extend(std::size_t done) {
    if (done == query_.atoms.size()) return true;
    std::size_t next = none;
    std::vector<std::size_t> images;
    for (std::size_t i = 0; i < query_.atoms.size(); ++i) {
      if (image_[i] != none) continue;
      std::vector<std::size_t> possible;
      for (std::size_t j = 0; j < query_.atoms.size(); ++j) {
        if (fits(i, j)) possible.push_back(j);
      }
      count_work(1 + query_.atoms.size() / 8);
      if (possible.empty()) return false;
      if (next != none && possible.size() >= images.size()) continue;
      next = i;
      images = std::move(possible);
    }
    // Where it may stay, it stays: most atoms do.
    const auto itself = std::ranges::find(images, next);
    if (itself != images.end()) std::rotate(images.begin(), itself, itself + 1);
    for (const std::size_t to : images) {
      if (tries_ == 0) return false;
      --tries_;
      const Mapping before = mapping_;
      image_[next] = to;
      for (const std::size_t column : constrained_[next]) {
        mapping_[query_.atoms[next].terms[column]] = query_.atoms[to].terms[column];
      }
      if (extend(done + 1)) return true;
      image_[next] = none;
      mapping_ = before;
    }
    return false;
  }

  const ConjunctiveQuery& query_;
  std::size_t without_;
  std::size_t& tries_;
  Mapping mapping_;
  std::vector<std::size_t> image_;
  std::vector<std::vector<std::size_t>> constrained_;
};

// Keeps the images alone. True when there was a fold.
bool fold_once(QueryCore& core, std::size_t& tries) {
  auto& atoms = core.query.atoms;
  for (std::size_t without = 0; without < atoms.size(); ++without) {
    const auto image = FoldSearch(core.query, without, tries).find();
    if (!image) continue;
    std::vector<CqAtom> kept;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      const bool is_image = std::ranges::find(*image, i) != image->end();
      (is_image ? kept : core.folded).push_back(atoms[i]);
    }
    atoms = std::move(kept);
    return true;
  }
  return false;
}

}  // namespace

QueryCore core_of(const ConjunctiveQuery& query, std::size_t tries) {
  QueryCore core{query, {}};
  while (fold_once(core, tries)) {
  }
  core.is_complete = tries > 0;
  return core;
}

}  // namespace tacit
