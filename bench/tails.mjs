/**
 * The slowest answers at a third of what the slowest holds: weir beside nginx and HAProxy, `npm run bench:tails` (`-- --help`).
 * Each is alone on core 0 in turns, the others are stopped meanwhile; client and backend have core 1. The client sends at a
 * constant rate and counts from when a request was due (http/constant-rate.cc). Where the rights suffice, the threads that serve
 * come before whatever else runs on the machine, or the slowest answers would be about that. `--trace` says what happened while the
 * slowest waited.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildClient } from "./http/constant-rate.mjs";
import { startHaproxy } from "./http/haproxy.mjs";
import { startBackend, startNginxProxy } from "./http/nginx.mjs";
import { CONNECTIONS } from "./http/scenarios.mjs";
import { launchWeir, putRoute, succeed, threeRules } from "./http/weir.mjs";
import {
	childrenOf,
	demandPrograms,
	freePort,
	OTHER_CORE,
	PROXY_CORE,
	runPinned,
	stopAll,
	tidyWhenInterrupted,
} from "./processes.mjs";
import { recordResults, table } from "./results.mjs";
import {
	compare,
	HOW_MEASURED,
	inOrder,
	lowerQuartile,
	median,
	ratioText,
	SLICES,
} from "./slices.mjs";
import { beginTrace, blame, canTrace, readCollections, readTrace } from "./tails/trace.mjs";

const HELP = `usage: npm run bench:tails -- [options]
  --slices N     of each contender, 1 to 99, default ${SLICES}
  --seconds N    of each slice, 1 to 60, default 4
  --flags=TEXT   weir once more, with these flags of Node, as "--max-semi-space-size=32"; may be repeated
  --main FILE    weir once more, dist/main.js of another build
  --variants     weir once more with its access log, with that to /dev/null, and under 20 changes of its policy a second;
                 nginx once more with a log of as many lines
  --trace        afterwards, what happened while the slowest of weir's requests waited, of each variant; needs perf and root
  --no-record    print only, leave RESULTS.md alone, as fewer slices or other contenders do
Needs taskset, nginx, HAProxy, wrk and a C++ compiler. Takes 4 minutes,
with variants 8.`;

const SHARE = 0.3;
const PATH = "/rules";
const TRACED = "traced-";
const WARM_UP_SECONDS = 3;
/** at the constant rate, when a contender goes on */
const SETTLE_SECONDS = 1;
const PUT_MS = 50;
const SLOWEST_SHARE = 0.001;
/** The client itself, at p99.9: above it somebody else had its core, and the slowest answers are about that. */
const LATE_NANOSECONDS = 500_000;

/**
 * @typedef {{
 *   id: string, title: string, pinned: import("./processes.mjs").Pinned, port: number, collections?: string,
 *   change?: (number: number) => Promise<void>
 * }} Contender
 */

const { values } = parseArgs({
	options: {
		slices: { type: "string", default: `${SLICES}` },
		seconds: { type: "string", default: "4" },
		flags: { type: "string", multiple: true, default: /** @type {string[]} */ ([]) },
		main: { type: "string" },
		variants: { type: "boolean", default: false },
		trace: { type: "boolean", default: false },
		"no-record": { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});
const [slices, seconds] = [Number(values.slices), Number(values.seconds)];
if (values.help || !(slices >= 1 && slices <= 99) || !(seconds >= 1 && seconds <= 60)) {
	console.log(HELP);
	process.exit(values.help ? 0 : 2);
}
demandPrograms(["taskset", "chrt", "nginx", "haproxy", "wrk"]);
if (values.trace && !canTrace()) {
	console.error("--trace needs perf, and the rights to trace the kernel");
	process.exit(2);
}

let hasPriority = false;
const directory = mkdtempSync(join(tmpdir(), "weir-tails-"));
chmodSync(directory, 0o755);

/** The process and all below it. @param {number} pid @returns {number[]} */
const familyOf = (pid) => [pid, ...childrenOf(pid).flatMap(familyOf)];

/** @param {Contender} contender @param {"SIGSTOP" | "SIGCONT"} signal */
const tell = ({ pinned }, signal) => {
	// Workers before who watches over them goes on, and the other way round.
	const family = familyOf(pinned.child.pid ?? 0);
	for (const pid of signal === "SIGCONT" ? family.reverse() : family) process.kill(pid, signal);
};

/**
 * @param {string} id @param {string} title @param {string} backend
 * @param {{flags?: string[], settings?: object, main?: string, changes?: boolean}} more
 * @returns {Promise<Contender>}
 */
const startOurs = async (id, title, backend, { flags = [], settings = {}, main, changes } = {}) => {
	const port = await freePort();
	const collections = join(directory, `${id}-collections`);
	process.env.WEIR_BENCH_COLLECTIONS = collections;
	const { pinned, put } = await launchWeir({
		...{ core: PROXY_CORE, directory: join(directory, id), flags },
		settings: { listen: [{ address: `127.0.0.1:${port}` }], workers: 1, ...settings },
		...(main === undefined ? {} : { main }),
	});
	const route = await putRoute(put, PATH, backend, threeRules("1"));
	/** @param {number} number */
	const change = async (number) => succeed(put(`${route}/policy`, threeRules(`n${number}`)));
	return { id, title, pinned, port, collections, ...(changes ? { change } : {}) };
};

/** @param {string} backend @returns {Promise<Contender[]>} */
const startAll = async (backend) => {
	const peers = { core: PROXY_CORE, directory, backend, workers: 1, certificate: undefined };
	const logged = { ...peers, accessLog: join(directory, "nginx-access.log") };
	const observer = join(import.meta.dirname, "tails", "gc-observer.mjs");
	/** @type {Contender[]} */
	const started = [await startOurs("weir", "weir", backend)];
	for (const [index, flags] of values.flags.entries())
		started.push(
			await startOurs(`flags-${index}`, `weir, ${flags}`, backend, { flags: flags.split(" ") }),
		);
	if (values.main !== undefined)
		started.push(await startOurs("other", "weir, another build", backend, { main: values.main }));
	const log = { destination: join(directory, "access.log"), access: true };
	const discarded = { ...log, destination: "/dev/null" };
	const variants = [
		{ id: "log", title: "weir, access log", settings: { log } },
		{ id: "null", title: "weir, access log to /dev/null", settings: { log: discarded } },
		{ id: "changes", title: "weir, 20 changes a second", changes: true },
	];
	const flags = ["--import", observer];
	if (values.variants)
		for (const { id, title, ...more } of variants)
			started.push(await startOurs(id, title, backend, more));
	if (values.trace)
		for (const { id, title, ...more } of [
			{ id: "plain", title: "weir" },
			...(values.variants ? variants : []),
		])
			started.push(
				await startOurs(`${TRACED}${id}`, `${title}, traced`, backend, { ...more, flags }),
			);
	/** @param {string} id @param {string} title @param {import("./http/contenders.mjs").Instance} peer */
	const add = (id, title, { pinned, http }) =>
		started.push({ id, title, pinned, port: Number(new URL(http).port) });
	add("nginx", "nginx", await startNginxProxy(peers));
	if (values.variants) add("nginx-log", "nginx, access log", await startNginxProxy(logged));
	add("haproxy", "HAProxy", await startHaproxy(peers));
	return started;
};

/**
 * @param {Contender} contender @param {number} rate @param {number} time @param {number} [slowest] told one by one
 * @returns {Promise<{p50: number, p99: number, p999: number, max: number, late: number, slow: import("./tails/trace.mjs").Span[]}>}
 */
const ask = async ({ port }, rate, time, slowest = 0) => {
	const words = [port, rate, CONNECTIONS, time, 200, "plain", slowest].map(String);
	const request = `GET ${PATH} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`;
	const output = await runPinned(OTHER_CORE, [join(directory, "constant-rate"), ...words], request);
	const [line = "", ...rest] = output.trim().split("\n");
	const { latency, lateness, failed, unexpected, scheduled, answered } = JSON.parse(line);
	if (failed > 0 || unexpected > 0 || answered < scheduled)
		throw new Error(`${answered} of ${scheduled} were answered, ${unexpected} of them wrongly`);
	const slow = rest.map((each) => {
		const [due = 0, took = 0] = each.split(" ").map(Number);
		return { from: due, to: due + took, what: "request" };
	});
	return { ...latency, late: lateness.p999, slow };
};

/** Requests a second at most. @param {Contender} contender @param {number} time */
const saturate = async ({ port }, time) => {
	const url = `http://127.0.0.1:${port}${PATH}`;
	const output = await runPinned(OTHER_CORE, ["wrk", "-t1", `-c${CONNECTIONS}`, `-d${time}s`, url]);
	return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
};

/** While it runs, all others stand still. @template T @param {Contender} contender @param {() => Promise<T>} work */
const alone = async (contender, work) => {
	tell(contender, "SIGCONT");
	try {
		return await work();
	} finally {
		tell(contender, "SIGSTOP");
	}
};

/** Changes one after the other until it is told to end. @param {Contender} contender */
const changing = ({ change }) => {
	if (change === undefined) return async () => {};
	let ends = false;
	const done = (async () => {
		for (let number = 0; !ends; number++) {
			await change(number);
			await new Promise((resolve) => setTimeout(resolve, PUT_MS));
		}
	})();
	return () => {
		ends = true;
		return done;
	};
};

const micro = (/** @type {number} */ nanoseconds) => `${Math.round(nanoseconds / 1000)}`;

/** @param {Contender} contender @param {number} rate @returns {Promise<string>} */
const trace = async (contender, rate) => {
	const file = join(directory, "perf.data");
	const [, worker = 0] = familyOf(contender.pinned.child.pid ?? 0);
	const supervisor = contender.pinned.child.pid;
	const others = new Set(readdirSync(`/proc/${worker}/task`).map(Number));
	const { slow } = await alone(contender, async () => {
		const endChanges = changing(contender);
		await ask(contender, rate, SETTLE_SECONDS);
		const end = beginTrace(file);
		await new Promise((resolve) => setTimeout(resolve, 500));
		const result = await ask(contender, rate, seconds, Math.ceil(rate * seconds * SLOWEST_SHARE));
		await end();
		await endChanges();
		return result;
	});
	const spans = readTrace(file);
	const named = spans.flatMap((span) => {
		if (span.pid === 0 || span.pid === worker) return [];
		const who =
			span.pid === supervisor
				? "weir's supervisor"
				: others.has(span.pid)
					? "the worker's other threads"
					: span.what.replace(/[:/\d].*$/, "");
		if (span.core === 1 && /^(?:constant-rate|nginx)$/.test(who)) return [];
		return [{ ...span, what: `core ${span.core}: ${who}` }];
	});
	const collections = readCollections(contender.collections ?? "", worker);
	const [from, to] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
	const during = collections.filter((each) => each.from >= from && each.to <= to);
	const rows = blame(slow, [...named, ...during]).map(({ what, requests, waited }) => [
		what,
		`${requests}`,
		micro(waited),
	]);
	const kinds = [...new Set(during.map(({ what }) => what))].map((what) => {
		const own = during.filter((each) => each.what === what).map((each) => each.to - each.from);
		return `${what}: ${(own.length / ((to - from) / 1e9)).toFixed(1)} a second, ${micro(median(own))} µs each, ${micro(Math.max(...own))} at most`;
	});
	const header = [
		`${contender.title}: of the slowest ${slow.length} at ${rate}/s, most of the time`,
		"requests",
		"median µs",
	];
	return `${table(header, rows)}\n\n${kinds.map((each) => `- ${each}`).join("\n")}`;
};

/**
 * Whoever has a core keeps it for some milliseconds, whatever the nice values are, so the thread that serves is real time.
 * Those that V8 compiles with are not, and it waits for none of them: where there is another core they have that. So it is
 * done when most is compiled. With two priorities of real time the kernel (6.18) has the core stand idle for 50 ms a second.
 * Client and backend are not real time: they fill their core, and the kernel takes a twentieth of it back from such.
 * @param {Contender} contender @returns {boolean}
 */
const prefer = ({ pinned }) => {
	const [root = 0, ...below] = familyOf(pinned.child.pid ?? 0);
	const serving = below.length > 0 ? below : [root];
	return serving.every((pid) => spawnSync("chrt", ["--rr", "--pid", "1", `${pid}`]).status === 0);
};

const bench = async () => {
	const unbuilt = buildClient(directory);
	if (unbuilt !== undefined) throw new Error(unbuilt);
	const backend = await startBackend(OTHER_CORE, directory);
	const contenders = await startAll(backend.origin);
	try {
		await measure(contenders);
	} finally {
		for (const each of contenders) if (each.pinned.running) tell(each, "SIGCONT");
	}
};

/** @param {readonly Contender[]} contenders */
const measure = async (contenders) => {
	for (const each of contenders) tell(each, "SIGSTOP");
	let slowest = Number.POSITIVE_INFINITY;
	for (const each of contenders) {
		const held = await alone(each, async () => {
			await saturate(each, WARM_UP_SECONDS);
			return saturate(each, 1);
		});
		console.error(`${each.title.padEnd(32)} ${Math.round(held)}/s`);
		slowest = Math.min(slowest, held);
	}
	hasPriority = contenders.every(prefer);
	if (!hasPriority) console.error("No rights for real time: others take the core as well.");
	const rate = Math.floor(slowest * SHARE);
	const measured = contenders.filter(({ id }) => !id.startsWith(TRACED));
	/** @type {Map<string, Awaited<ReturnType<typeof ask>>[]>} */
	const found = new Map(measured.map(({ id }) => [id, []]));
	for (let slice = 0; slice < slices; slice++)
		for (const each of inOrder(measured, slice)) {
			const result = await alone(each, async () => {
				const end = changing(each);
				await ask(each, rate, SETTLE_SECONDS);
				const told = await ask(each, rate, seconds);
				await end();
				return told;
			});
			found.get(each.id)?.push(result);
			const figures = [result.p50, result.p99, result.p999, result.max, result.late].map(micro);
			console.error(`slice ${slice + 1}  ${each.title.padEnd(32)} ${figures.join(" / ")}`);
		}
	const onTime = (/** @type {string} */ id) =>
		(found.get(id) ?? []).map((each) => (each.late <= LATE_NANOSECONDS ? each : undefined));
	const p999 = (/** @type {string} */ id) => onTime(id).map((each) => each?.p999);
	const rows = measured.map(({ id, title }) => {
		const all = onTime(id).filter((each) => each !== undefined);
		const figure = (/** @type {"p50" | "p99" | "p999" | "max" | "late"} */ name) =>
			micro(lowerQuartile(all.map((each) => each[name])));
		return [
			...[
				title,
				figure("p50"),
				figure("p99"),
				figure("p999"),
				micro(median(all.map((each) => each.p999))),
			],
			...[figure("max"), figure("late"), `${all.length}`],
			id === "nginx" ? "–" : ratioText(compare(p999(id), p999("nginx"))),
		];
	});
	const header = [
		...[`${rate} requests/s`, "p50 µs", "p99 µs", "p99.9 µs", "its median", "slowest µs"],
		...["client late, p99.9 µs", "slices", "p99.9 / nginx (paired)"],
	];
	const texts = [table(header, rows)];
	for (const each of contenders)
		if (each.id.startsWith(TRACED)) texts.push(await trace(each, rate));
	console.log(texts.join("\n\n"));
	const isWhole = slices >= SLICES && values.flags.length === 0 && values.main === undefined;
	if (values["no-record"] || !isWhole) return;
	const words = [
		"npm run bench:tails",
		...(process.argv.length > 2 ? ["--", ...process.argv.slice(2)] : []),
	];
	recordResults(
		"The slowest answers",
		words.join(" "),
		[
			`${slices} slices of ${seconds} s in turns, the others stopped; without those in which the client was later than ${LATE_NANOSECONDS / 1000} µs at p99.9; ${CONNECTIONS} connections; three rules, proxied, at ${SHARE * 100} % of what the slowest holds`,
			"the contender alone on core 0, client and backend (nginx) on core 1; counted from when a request was due",
			hasPriority
				? "the threads that serve are real time, so that nothing else takes their core; client and backend are not"
				: "beside the rest of the machine, without priority",
			HOW_MEASURED,
		],
		texts.join("\n\n"),
	);
};

const tidy = () => rmSync(directory, { recursive: true, force: true });
tidyWhenInterrupted(tidy);
try {
	await bench();
} finally {
	await stopAll();
	tidy();
}
