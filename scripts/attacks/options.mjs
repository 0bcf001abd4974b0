/** What `scripts/attacks.mjs` can do, its flags and their bounds, and the help. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PEERS } from "./peers.mjs";

/** as many as found the first time; enough for a percentile */
export const HONEST = 149;
/** descriptors a process may have in the attack on the management port */
export const DESCRIPTORS = 256;
/**
 * @typedef {{ clients: number, what: string, alone?: boolean }} Attack
 * @typedef {keyof typeof ATTACKS} AttackId
 * @typedef {{
 *   help: boolean, attacks: AttackId[], peers: string[], addresses: number, seconds: number,
 *   clients: number | undefined, memoryMegabytes: number, config: object, routeBackend: object, main: string
 * }} Options
 */

/** `alone`: of weir only, the others have no such thing, or write gigabytes of temporary files */
export const ATTACKS = {
	drip: { clients: 520, what: "uploads that drip a byte each 5 s" },
	read: { clients: 600, what: "slow readers of an answer of 8 MiB" },
	stuck: { clients: 1250, what: "uploads to a backend that doesn't read" },
	fill: { clients: 3750, what: "uploads to three backends that don't read", alone: true },
	idle: {
		clients: 400,
		what: `idle management clients at ${DESCRIPTORS} descriptors, then all workers are killed`,
		alone: true,
	},
};
const PROXIES = PEERS.map(({ id }) => id.toLowerCase());
const ATTACK_IDS = /** @type {AttackId[]} */ (Object.keys(ATTACKS));
/** @type {Readonly<Record<"seconds" | "clients" | "addresses" | "memory", [number, number]>>} */
const BOUNDS = {
	seconds: [1, 120],
	clients: [1, 4000],
	addresses: [1, 200],
	memory: [1, 100_000],
};

export const HELP = `usage: node scripts/attacks.mjs [options]
  --attacks a,b   of ${Object.keys(ATTACKS).join(", ")}; default all
  --seconds S     over which the ${HONEST} honest requests are spread, 1 to 120, default 10
  --clients N     attackers, 1 to 4000, instead of each attack's own number
  --addresses N   of loopback that the attackers come from, 1 to 200, default 1; honest clients have another
  --peers a,b     of ${PROXIES.join(", ")}; default all
  --memory MB     by which weir may grow, default 256
  --config JSON   more of weir's config file
  --backend JSON  more of the backend of each of weir's routes, e.g. '{"max_connections":256}'
  --root DIR      another checkout of weir, built; default this one
  --help
${Object.entries(ATTACKS)
	.map(([id, { clients, what }]) => `  ${id.padEnd(6)} ${clients} ${what}`)
	.join("\n")}
Against weir (dist/), and nginx and HAProxy where they are installed, each with two workers, one after the other,
on loopback only; nginx writes up to 5 GB of temporary files. Some four minutes in all. Every third honest
request brings a body of 20 kB. Exit status 1 if weir serves fewer honest requests than the best of the others
(than all of them, where there is no other), or grows by more memory.`;

/** @param {keyof typeof BOUNDS} name @param {string} text */
const whole = (name, text) => {
	const [least, most] = BOUNDS[name];
	const value = Number(text);
	if (Number.isInteger(value) && value >= least && value <= most) return value;
	throw new Error(`--${name} must be a whole number from ${least} to ${most}`);
};

/** @template {string} Id @param {string} name @param {string} text @param {readonly Id[]} known @returns {Id[]} */
const chosen = (name, text, known) => {
	const ids = text.split(",");
	const unknown = ids.find((id) => !known.some((each) => each === id));
	if (unknown === undefined) return known.filter((id) => ids.includes(id));
	throw new Error(`--${name}: no "${unknown}"; there are ${known.join(", ")}`);
};

/** @param {string} name @param {string} text @returns {object} */
const settings = (name, text) => {
	try {
		const value = JSON.parse(text);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
	} catch {}
	throw new Error(`--${name} must be an object in JSON`);
};

/** @returns {Options} throws with a sentence on mistakes */
export const readOptions = () => {
	const text = /** @type {const} */ ({ type: "string" });
	const { values } = parseArgs({
		options: {
			attacks: { ...text, default: Object.keys(ATTACKS).join(",") },
			seconds: { ...text, default: "10" },
			clients: text,
			addresses: { ...text, default: "1" },
			peers: { ...text, default: PROXIES.join(",") },
			memory: { ...text, default: "256" },
			config: { ...text, default: "{}" },
			backend: { ...text, default: "{}" },
			root: { ...text, default: join(import.meta.dirname, "..", "..") },
			help: { type: "boolean", default: false },
		},
	});
	return {
		help: values.help,
		attacks: chosen("attacks", values.attacks, ATTACK_IDS),
		peers: chosen("peers", values.peers, PROXIES),
		addresses: whole("addresses", values.addresses),
		seconds: whole("seconds", values.seconds),
		clients: values.clients === undefined ? undefined : whole("clients", values.clients),
		memoryMegabytes: whole("memory", values.memory),
		config: settings("config", values.config),
		routeBackend: settings("backend", values.backend),
		main: join(values.root, "dist", "main.js"),
	};
};
