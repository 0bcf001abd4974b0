/** Before each file of the tests that share a process: no evaluation is in progress, whatever the file before has left. */
import { BUDGET } from "../src/cel/budget.ts";

BUDGET.left = Number.POSITIVE_INFINITY;
BUDGET.goesOn = undefined;
