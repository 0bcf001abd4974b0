/**
 * weir beside nginx, HAProxy and a Node gateway: `npm run bench:http` (`-- --help`). All do the same work in
 * turns in one run, on one core that they have for themselves; clients and backend share the other. CPU is
 * what a contender's processes used by the kernel's account. Prints quartiles of short slices (slices.mjs), with the
 * targets, and records them in RESULTS.md. Ratios hold between machines, absolutes do not.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { buildClient } from "./http/constant-rate.mjs";
import { readOptions } from "./http/options.mjs";
import { report } from "./http/report.mjs";
import { Rounds } from "./http/rounds.mjs";
import { Samples } from "./http/samples.mjs";
import { canSaturate, WITH_WRK } from "./http/saturation.mjs";
import { CONNECTIONS, SCENARIOS } from "./http/scenarios.mjs";
import { hasProgram, leaveProxyCore, stopAll, tidyWhenInterrupted } from "./processes.mjs";
import { recordResults } from "./results.mjs";
import { HOW_MEASURED } from "./slices.mjs";

/** Load average above which a run says little: something else has the cores. */
const QUIET = 0.5;

/** @type {Readonly<Record<string, string>>} */
const NEEDED = { taskset: "util-linux", nginx: "nginx-light" };

/** @param {string} sentence @returns {never} */
const fail = (sentence) => {
	console.error(sentence);
	process.exit(2);
};

/** A certificate of a day, for 127.0.0.1. @param {string} directory @returns {{cert: string, key: string} | undefined} */
const makeCertificate = (directory) => {
	const [cert, key] = [join(directory, "certificate.pem"), join(directory, "key.pem")];
	const { status } = spawnSync("openssl", [
		...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
		...["-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"],
		...["-keyout", key, "-out", cert],
	]);
	return status === 0 ? { cert, key } : undefined;
};

/** @param {string} command @param {string[]} words */
const firstLine = (command, ...words) => {
	const { stdout, stderr } = spawnSync(command, words, { encoding: "utf8" });
	return `${stdout ?? ""}${stderr ?? ""}`.split("\n", 1)[0]?.trim() ?? "";
};

/** @param {string} name */
const packageVersion = (name) => {
	try {
		const file = join(import.meta.dirname, "..", "node_modules", name, "package.json");
		return `${name} ${JSON.parse(readFileSync(file, "utf8")).version}`;
	} catch {
		return `${name} missing`;
	}
};

const versions = () => [
	firstLine("nginx", "-v"),
	hasProgram("haproxy") ? firstLine("haproxy", "-v") : "no HAProxy",
	["fastify", "@fastify/http-proxy", "@fastify/rate-limit"].map(packageVersion).join(", "),
	WITH_WRK ? firstLine("wrk", "-v") : "client: scripts/load.mjs",
];

/** Notes that readers need to judge the numbers; each is said once, when it comes up and in the results. */
class Notes {
	/** @type {Set<string>} */
	sentences = new Set();

	add = (/** @type {string} */ sentence) => {
		if (this.sentences.has(sentence)) return;
		this.sentences.add(sentence);
		console.error(sentence);
	};
}

/**
 * @param {readonly string[]} ids @param {{cert: string, key: string} | undefined} certificate
 * @param {(sentence: string) => void} note
 */
const chooseScenarios = (ids, certificate, note) => {
	const chosen = SCENARIOS.filter(({ id }) => ids.includes(id));
	if (!chosen.some(({ tls }) => tls)) return chosen;
	if (certificate === undefined) {
		note("Left out: TLS. openssl is missing (Debian: apt-get install openssl).");
		return chosen.filter(({ tls }) => !tls);
	}
	if (!chosen.every(canSaturate))
		note("Left out: TLS. wrk is missing (Debian: apt-get install wrk).");
	return chosen.filter(canSaturate);
};

/** @param {Samples} samples */
const clientNote = (samples) => {
	const late = (/** @type {string} */ measure) => samples.overall(measure).toFixed(1);
	return (
		`The constant-rate client sends ${late("lateP50")} µs (p50), ${late("lateP99")} µs (p99) and ${late("lateP999")} µs ` +
		"(p99.9) after a request is due (lower quartiles of all slices); the latencies include it."
	);
};

/** @param {import("./http/options.mjs").Options} options @param {string} directory */
const bench = async (options, directory) => {
	const notes = new Notes();
	const samples = new Samples();
	/** @type {import("./http/report.mjs").Rates} */
	const rates = new Map();
	const certificate = makeCertificate(directory);
	const scenarios = chooseScenarios(options.scenarios, certificate, notes.add);
	const unbuilt = options.latency ? buildClient(directory) : undefined;
	if (unbuilt !== undefined) notes.add(`Left out: latencies. ${unbuilt}`);
	const context = { directory, certificate, samples, rates, note: notes.add };
	const rounds = new Rounds(options, context);
	for (const workers of new Set(scenarios.map((each) => each.workers))) {
		await rounds.run(
			scenarios.filter((each) => each.workers === workers),
			workers,
		);
	}
	if (!Number.isNaN(samples.overall("lateP50"))) notes.add(clientNote(samples));
	const text = report(samples, rates);
	if (text === "") {
		console.error("Nothing was measured.");
		process.exitCode = 1;
		return;
	}
	console.log(text);
	const conditions = [
		...versions(),
		`${options.slices} slices of ${options.seconds} s in turns, ${CONNECTIONS} connections; spread: most − least of the slices`,
		HOW_MEASURED,
		"one worker on core 0, clients and backend (nginx) on core 1; two workers: all share both cores, so no latencies",
		"TLS: 64 handshakes a run (P-256), then records",
		...notes.sentences,
	];
	console.log(`\n${conditions.map((each) => `- ${each}`).join("\n")}`);
	if (options.record) {
		const words = ["npm run bench:http", ...(flags.length > 0 ? ["--", ...flags] : [])];
		recordResults("HTTP: weir beside its peers", words.join(" "), conditions, text);
	}
	if (rounds.failures > 0) process.exitCode = 1;
};

const flags = process.argv.slice(2);
const options = (() => {
	try {
		return readOptions(flags);
	} catch (error) {
		return fail(error instanceof Error ? error.message : String(error));
	}
})();
if (options !== undefined) {
	const missing = Object.keys(NEEDED).filter((name) => !hasProgram(name));
	if (missing.length > 0) {
		const packages = missing.map((name) => NEEDED[name]).join(" ");
		fail(`${missing.join(" and ")} missing (Debian: apt-get install ${packages}).`);
	}
	const load = loadavg()[0] ?? 0;
	if (load > QUIET) {
		console.error(`The load average is ${load.toFixed(2)}: beside other work figures say little.`);
	}
	// This process waits and writes policies: not on the contenders' core.
	leaveProxyCore();
	const directory = mkdtempSync(join(tmpdir(), "weir-bench-"));
	// nginx's workers are not root.
	chmodSync(directory, 0o755);
	const tidy = () => rmSync(directory, { recursive: true, force: true });
	tidyWhenInterrupted(tidy);
	try {
		await bench(options, directory);
	} finally {
		await stopAll();
		tidy();
	}
}
