// Each process that a specification starts, and each that the engine starts for it, writes what of its code ran.
process.env.NODE_V8_COVERAGE = process.env.PODLUMI_COVERAGE;
