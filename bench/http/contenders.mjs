/**
 * Who takes part in `npm run bench:http`, who can't and why, and in which scenarios. The starters stand in
 * a file each; a started contender has its process, its origins and what it alone can do.
 */
import { existsSync } from "node:fs";
import { hasProgram } from "../processes.mjs";
import { startHaproxy } from "./haproxy.mjs";
import { startNginxProxy } from "./nginx.mjs";
import { startNodeGateway } from "./node-gateway.mjs";
import { MAIN, PIPELINED, PIPELINING, startWeir } from "./weir.mjs";

/**
 * What a starter returns: the process, its origins, and what it alone can do.
 * @typedef {{
 *   pinned: import("../processes.mjs").Pinned, http: string, https?: string, pipelining?: boolean,
 *   putPolicy?: (path: string, policy: object) => Promise<{ status: number, text: string }>
 * }} Instance
 * @typedef {Instance & { id: string, title: string, suffix: string }} Contender
 * @typedef {{
 *   core: string, directory: string, backend: string, workers: number,
 *   certificate: { cert: string, key: string } | undefined
 * }} Site
 * @typedef {import("./scenarios.mjs").Scenario} Scenario
 */

const PACKAGES = ["fastify", "@fastify/http-proxy", "@fastify/rate-limit"];

/** of a contender that does not start, in its note */
const MESSAGE_CHARACTERS = 500;

const missingPackages = () =>
	PACKAGES.filter((name) => {
		try {
			import.meta.resolve(name);
			return false;
		} catch {
			return true;
		}
	});

/**
 * `missing`: why it can't take part, a sentence.
 * @type {{
 *   id: string, title: string, start: (site: Site) => Promise<Instance>, missing: () => string | undefined
 * }[]}
 */
const CONTENDERS = [
	{
		id: "weir",
		title: "weir",
		start: startWeir,
		missing: () => (existsSync(MAIN) ? undefined : "dist/main.js is missing: npm run build."),
	},
	{
		id: "nginx",
		title: "nginx",
		start: startNginxProxy,
		missing: () => undefined,
	},
	{
		id: "haproxy",
		title: "HAProxy",
		start: startHaproxy,
		missing: () =>
			hasProgram("haproxy") ? undefined : "HAProxy is missing (Debian: apt-get install haproxy).",
	},
	{
		id: "node",
		title: "Node gateway",
		start: startNodeGateway,
		missing: () => {
			const names = missingPackages();
			return names.length === 0 ? undefined : `${names.join(", ")} missing: npm install.`;
		},
	},
];

/**
 * Every contender's title by its id, in the order of the tables.
 * @type {Readonly<Record<string, string>>}
 */
export const TITLES = {
	weir: "weir",
	"weir-pipelining": `weir, pipelining ${PIPELINING}`,
	...Object.fromEntries(CONTENDERS.slice(1).map(({ id, title }) => [id, title])),
};

const PIPELINING_ID = "weir-pipelining";

/**
 * @param {readonly string[]} ids of those that are wanted @param {Site} site
 * @param {(sentence: string) => void} note told of everybody who can't take part
 * @returns {Promise<Contender[]>} weir once more with pipelining
 */
export const startContenders = async (ids, site, note) => {
	/** @type {Contender[]} */
	const started = [];
	for (const { id, title, start, missing } of CONTENDERS) {
		const pipelining = id === "weir" && ids.includes(PIPELINING_ID);
		if (!ids.includes(id) && !pipelining) continue;
		const absent = missing();
		if (absent !== undefined) {
			note(`Left out: ${title}. ${absent}`);
			continue;
		}
		try {
			const instance = await start(site);
			if (ids.includes(id)) started.push({ ...instance, id, title, suffix: "" });
			if (pipelining && instance.pipelining) {
				const title = TITLES[PIPELINING_ID] ?? PIPELINING_ID;
				const variant = { id: PIPELINING_ID, title, suffix: PIPELINED };
				started.push({ ...instance, ...variant });
			}
			if (pipelining && !instance.pipelining) {
				if (!ids.includes(id)) await instance.pinned.stop();
				note(`Left out: ${TITLES[PIPELINING_ID]}. This weir refuses \`pipelining\` in a route.`);
			}
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			note(`Left out: ${title}. ${message.replace(/\s+/g, " ").slice(0, MESSAGE_CHARACTERS)}`);
		}
	}
	return started;
};

/** The Node gateway has nothing to show where policies change: its row would be the one of three rules. @param {Contender} contender @param {Scenario} scenario */
export const takesPart = (contender, scenario) =>
	(contender.id !== PIPELINING_ID || scenario.pipelining) &&
	(contender.id !== "node" || scenario.putsPerSecond === 0);

/**
 * Where a scenario is asked of a contender.
 * @param {Pick<Contender, "suffix" | "http" | "https">} contender @param {Pick<Scenario, "path" | "tls">} scenario
 * @returns {URL}
 */
export const target = (contender, scenario) =>
	new URL(scenario.path + contender.suffix, scenario.tls ? contender.https : contender.http);
