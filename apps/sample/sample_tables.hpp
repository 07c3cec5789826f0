#pragma once

#include "sample_writer.hpp"

namespace tacit {

void write_hospital(SampleWriter& writer);  // ward, visit
void write_harbour(SampleWriter& writer);   // port, ship
void write_shop(SampleWriter& writer);      // nation, segment, customer, orders

}  // namespace tacit
