/** What V8 has, for tests of what is kept and what is not. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Behind a whole collection. */
export const heldBytes = (): number => {
	collect();
	return process.memoryUsage().heapUsed;
};
