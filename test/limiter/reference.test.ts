/** The oracle itself, held against the definition. */
import { SlidingLog } from "../../src/limiter/reference.ts";
import { describeExactAdmission } from "./admission-suite.ts";

describeExactAdmission("SlidingLog", (capacity, windowMs) => {
	const log = new SlidingLog(capacity, windowMs);
	return (now) => log.admit(now);
});
