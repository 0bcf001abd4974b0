/**
 * Requests per second and CPU per request, weir beside nginx: `npm run bench:http`. Both do the same four
 * things, one worker each, in turns in one run, on one core that they have for themselves; client and
 * backend share the other. CPU is what the proxy's processes used by the kernel's account. Prints medians of
 * three rounds and appends them to RESULTS.md. Ratios hold between machines, absolutes do not.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SCENARIOS, startBackend, startNginxProxy, startWeir } from "./http-proxies.mjs";
import { hasProgram, OTHER_CORE } from "./processes.mjs";
import { appendResults, median, table } from "./results.mjs";

const ROUNDS = 3;
/** seconds; 3 rounds of 4 scenarios and 2 proxies, and the warm-up, stay below three minutes */
const MEASURE_SECONDS = 4;
const WARM_UP_SECONDS = 2;
const CONNECTIONS = 64;

const needed = { taskset: "util-linux", nginx: "nginx-light" };
const missing = Object.keys(needed).filter((name) => !hasProgram(name));
if (missing.length > 0) {
	console.error(
		`missing: ${missing.join(", ")} (Debian: apt-get install ${missing.map((each) => needed[each]).join(" ")})`,
	);
	process.exit(2);
}
const withWeir = existsSync(join(import.meta.dirname, "..", "dist", "main.js"));
if (!withWeir) {
	console.error("dist/main.js is missing: npm run build");
	process.exit(2);
}
/** `wrk` costs the client's core less; without it the project's own client does. */
const client = hasProgram("wrk") ? "wrk" : "scripts/load.mjs";

const run = (command) =>
	new Promise((resolve, reject) => {
		const child = spawn(command[0], command.slice(1), { stdio: ["ignore", "pipe", "inherit"] });
		let output = "";
		child.stdout.on("data", (chunk) => {
			output += chunk;
		});
		child.on("error", reject);
		child.on("exit", (status) =>
			status === 0 ? resolve(output) : reject(new Error(`${command[0]}: ${output}`)),
		);
	});

/** @returns {Promise<{requests: number, perSecond: number, errors: number}>} */
const generate = async (url, seconds) => {
	if (client !== "wrk") {
		const script = join(import.meta.dirname, "..", "scripts", "load.mjs");
		const options = ["--connections", `${CONNECTIONS}`, "--duration", `${seconds}`, "--json"];
		const result = JSON.parse(
			await run(["taskset", OTHER_CORE, process.execPath, script, ...options, url]),
		);
		return {
			requests: result.requests,
			perSecond: result.requestsPerSecond,
			errors: result.errors,
		};
	}
	const output = await run([
		"taskset",
		OTHER_CORE,
		"wrk",
		"-t1",
		`-c${CONNECTIONS}`,
		`-d${seconds}`,
		url,
	]);
	const [, requests] = /(\d+) requests in/.exec(output) ?? [];
	const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(output) ?? [];
	const broken =
		/Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output) ?? [];
	const errors = broken.slice(1).reduce((sum, each) => sum + Number(each), 0);
	return { requests: Number(requests), perSecond: Number(perSecond), errors };
};

/** The status, so that nobody measures an error page. */
const verify = async (name, proxy, { path, status }) => {
	let response = await fetch(proxy.url + path);
	// The first request within the limit is admitted.
	if (status === 429 && response.status === 200) response = await fetch(proxy.url + path);
	if (response.status !== status)
		throw new Error(`${name} ${path}: ${response.status} instead of ${status}`);
	await response.arrayBuffer();
};

const measure = async (proxy, scenario, seconds) => {
	const before = proxy.pinned.cpuMicroseconds();
	const { requests, perSecond, errors } = await generate(proxy.url + scenario.path, seconds);
	const microseconds = (proxy.pinned.cpuMicroseconds() - before) / requests;
	if (errors > 0) console.error(`${scenario.name}: ${errors} socket errors`);
	return { microseconds, perSecond };
};

const directory = mkdtempSync(join(tmpdir(), "weir-bench-"));
const started = [];
const start = async (proxy) => {
	started.push(proxy);
	return proxy;
};
try {
	const backend = await start(await startBackend(directory));
	const proxies = {
		nginx: await start(await startNginxProxy(directory, backend.url)),
		weir: await start(await startWeir(directory, backend.url)),
	};
	const samples = new Map();
	for (let round = 0; round < ROUNDS; round += 1) {
		for (const scenario of SCENARIOS) {
			const names = Object.keys(proxies);
			// Who goes first changes, so that drift of the machine hits both.
			for (const name of round % 2 === 0 ? names : names.reverse()) {
				const proxy = proxies[name];
				await verify(name, proxy, scenario);
				if (round === 0) await generate(proxy.url + scenario.path, WARM_UP_SECONDS);
				const sample = await measure(proxy, scenario, MEASURE_SECONDS);
				const key = `${scenario.name}\n${name}`;
				samples.set(key, [...(samples.get(key) ?? []), sample]);
				console.error(
					`round ${round + 1}  ${scenario.name.padEnd(20)}${name.padEnd(7)}` +
						`${sample.microseconds.toFixed(2).padStart(7)} µs ${Math.round(sample.perSecond).toString().padStart(7)}/s`,
				);
			}
		}
	}
	const rows = SCENARIOS.map(({ name }) => {
		const of = (proxy, field) =>
			median((samples.get(`${name}\n${proxy}`) ?? []).map((each) => each[field]));
		const [ours, theirs] = [of("weir", "microseconds"), of("nginx", "microseconds")];
		return [
			name,
			theirs.toFixed(2),
			ours.toFixed(2),
			(ours / theirs).toFixed(2),
			Math.round(of("nginx", "perSecond")).toString(),
			Math.round(of("weir", "perSecond")).toString(),
		];
	});
	const text = table(
		[
			"scenario",
			"nginx µs/request",
			"weir µs/request",
			"weir / nginx",
			"nginx requests/s",
			"weir requests/s",
		],
		rows,
	);
	console.log(text);
	const nginx = execFileSync("sh", ["-c", "nginx -v 2>&1"]).toString().trim();
	appendResults(
		"HTTP: weir beside nginx",
		"npm run bench:http",
		[nginx, `client: ${client}, ${CONNECTIONS} connections`],
		text,
	);
} finally {
	for (const { pinned } of started.reverse()) await pinned.stop();
	rmSync(directory, { recursive: true, force: true });
}
