/** The targets of the data path beside nginx, HAProxy and a Node gateway, and whether a run has met them. */
import { ratioText } from "../slices.mjs";
import { TITLES } from "./contenders.mjs";
import { SCENARIOS } from "./scenarios.mjs";

const CPU = { measure: "microseconds", title: "CPU a request" };
const REQUESTS = { measure: "perSecond", title: "requests/s" };
const TAIL = { measure: "p999", title: "p99.9" };

const everywhere = SCENARIOS.map(({ id }) => id);
/**
 * @param {number} bound @param {typeof CPU} what @param {readonly string[]} scenarios
 * @param {string} contender @param {readonly string[]} peers
 */
const atMost = (bound, what, scenarios, contender, peers) => ({
	bound,
	most: true,
	what,
	scenarios,
	contender,
	peers,
});

const TARGETS = [
	atMost(1, CPU, ["rate-limit", "deny"], "weir", ["nginx"]),
	atMost(1, CPU, ["rules"], "weir-pipelining", ["nginx", "haproxy"]),
	atMost(1.05, CPU, ["rules"], "weir", ["nginx", "haproxy"]),
	atMost(1.05, CPU, ["headers", "large"], "weir", ["nginx"]),
	{ ...atMost(4, REQUESTS, everywhere, "weir", ["node"]), most: false },
	atMost(1, TAIL, everywhere, "weir", ["nginx"]),
];

/** What changes may cost the requests beside them: scenarios that differ in nothing else. */
const OWN_TARGETS = [
	{ bound: 1.15, what: CPU, scenario: "puts", without: "rules", contender: "weir" },
];

/** @param {string} id */
const titleOf = (id) => SCENARIOS.find((each) => each.id === id)?.title;

/** @param {import("./samples.mjs").Samples} samples @returns {string[][]} */
const ownRows = (samples) =>
	OWN_TARGETS.flatMap(({ bound, what, scenario, without, contender }) => {
		const reached = samples.beside(scenario, without, contender, what.measure);
		if (reached === undefined) return [];
		const title = `${what.title} of ${TITLES[contender]}, "${titleOf(scenario)}" / "${titleOf(without)}"`;
		const verdict = reached.ratio <= bound ? "met" : "missed";
		return [
			[title, `≤ ${bound.toFixed(2)}`, ratioText(reached), reached.known ? verdict : "not known"],
		];
	});

/**
 * @param {import("./samples.mjs").Samples} samples
 * @returns {string[][]} rows of target, bound, reached, verdict; only what was measured on both sides
 */
export const targetRows = (samples) => [...peerRows(samples), ...ownRows(samples)];

/** @param {import("./samples.mjs").Samples} samples @returns {string[][]} */
const peerRows = (samples) =>
	TARGETS.flatMap(({ bound, most, what, scenarios, contender, peers }) =>
		scenarios.flatMap((id) =>
			peers.flatMap((peer) => {
				const reached = samples.comparison(id, contender, peer, what.measure);
				if (reached === undefined) return [];
				const met = most ? reached.ratio <= bound : reached.ratio >= bound;
				const verdict = met ? "met" : "missed";
				const title = titleOf(id);
				return [
					[
						`${title}: ${what.title}, ${TITLES[contender]} / ${TITLES[peer]}`,
						`${most ? "≤" : "≥"} ${bound.toFixed(2)}`,
						ratioText(reached),
						reached.known ? verdict : "not known",
					],
				];
			}),
		),
	);
