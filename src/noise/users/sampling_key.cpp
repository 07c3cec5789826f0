#include "noise/users/sampling_key.hpp"

#include "noise/sampling/random_words.hpp"

namespace tacit {

std::uint64_t draw_sampling_key(Entropy& entropy) { return RandomWords(entropy).word(); }

}  // namespace tacit
