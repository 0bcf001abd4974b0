/** The command line of `npm run bench:http`: flags, their bounds, and the help. */
import { parseArgs } from "node:util";
import { SLICES } from "../slices.mjs";
import { SCENARIOS } from "./scenarios.mjs";

export const CONTENDER_IDS = ["weir", "weir-pipelining", "nginx", "haproxy", "node"];
const SCENARIO_IDS = SCENARIOS.map(({ id }) => id);

const HELP = `usage: npm run bench:http -- [options]
  --scenarios a,b    of ${SCENARIO_IDS.join(", ")}
  --contenders a,b   of ${CONTENDER_IDS.join(", ")}
  --slices N         of each measurement, 1 to 99, default ${SLICES}; fewer than ${SLICES} say "not known"
  --seconds N        of each slice, 1 to 60, default 1
  --no-latency       saturation only
  --no-record        print only, leave RESULTS.md alone, as runs of some scenarios or contenders, of fewer slices or
                     without latencies do
  --help
Contenders take turns. A figure is the lower quartile of its slices (of requests/s the upper); a ratio stands beside the
median ratio of neighbouring slices in parentheses, and where the two differ by more than 5 % it is not known.
Latencies: at 40 % or less of what the slowest holds, so that client and backend have a core of their own; left out
where they have none, which two workers or a client that is late itself show.
Needs taskset, nginx (it is the backend too) and wrk, or does with the project's own client where it can;
HAProxy, a C++ compiler (for latencies) and openssl (for TLS) if they are there. Takes 13 minutes by default.
A quick look: npm run bench:http -- --scenarios deny --contenders weir,nginx --no-latency
What 100 PUT/s cost the requests beside them, in half a minute: --scenarios rules,puts --contenders weir --no-latency`;

/**
 * @typedef {{
 *   scenarios: readonly string[], contenders: readonly string[], slices: number, seconds: number,
 *   latency: boolean, record: boolean
 * }} Options
 */

/** @param {string} name @param {string} text @param {number} most */
const wholeNumber = (name, text, most) => {
	const value = Number(text);
	if (Number.isInteger(value) && value >= 1 && value <= most) return value;
	throw new Error(`--${name} must be a whole number from 1 to ${most}`);
};

/** @param {string} name @param {string | undefined} text @param {readonly string[]} known */
const chosen = (name, text, known) => {
	if (text === undefined) return known;
	const ids = text.split(",");
	const unknown = ids.find((id) => !known.includes(id));
	if (unknown !== undefined)
		throw new Error(`--${name}: no "${unknown}"; there are ${known.join(", ")}`);
	return known.filter((id) => ids.includes(id));
};

/**
 * @param {string[]} arguments_
 * @returns {Options | undefined} undefined if only the help was wanted; throws with a sentence on mistakes
 */
export const readOptions = (arguments_) => {
	const text = /** @type {const} */ ({ type: "string" });
	const flag = /** @type {const} */ ({ type: "boolean", default: false });
	const { values } = parseArgs({
		args: arguments_,
		options: {
			scenarios: text,
			contenders: text,
			slices: { ...text, default: `${SLICES}` },
			seconds: { ...text, default: "1" },
			"no-latency": flag,
			"no-record": flag,
			help: flag,
		},
	});
	if (values.help) {
		console.log(HELP);
		return undefined;
	}
	const slices = wholeNumber("slices", values.slices, 99);
	const isWhole =
		[values.scenarios, values.contenders].every((each) => each === undefined) &&
		slices >= SLICES &&
		!values["no-latency"];
	return {
		scenarios: chosen("scenarios", values.scenarios, SCENARIO_IDS),
		contenders: chosen("contenders", values.contenders, CONTENDER_IDS),
		slices,
		seconds: wholeNumber("seconds", values.seconds, 60),
		latency: !values["no-latency"],
		record: !values["no-record"] && isWhole,
	};
};
