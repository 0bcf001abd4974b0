/**
 * Secrets of policies (contract 3, 5): what an action takes as a secret stands in nothing that leaves weir: answers,
 * problems, warnings, the log, the metrics, backups, `weir check`, and no file of the data folder.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { actionOf, EVERY_TYPE } from "../../src/policy/actions/table.ts";
import { run } from "./commands.ts";
import {
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

const SECRET = "sentinel-7Kq2-secret";
const WRONG = "sentinel-wrong-guess";
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

/** Of each action with secrets: configs that are valid, and mistakes around a secret. A new one needs its line here. */
const CONFIGS: Readonly<Record<string, { valid: unknown[]; mistaken: unknown[] }>> = {
	"basic-auth": {
		valid: [
			{ credentials: [`ada:${SECRET}`] },
			{ credentials: ["bob:another password", `ada:${SECRET}`], forward: false, realm: "r" },
			{ credentials: [`ada:${SECRET}`], enforce: false },
		],
		mistaken: [
			{ credentials: `ada:${SECRET}` },
			{ credentials: { ada: SECRET } },
			{ credentials: [{ ada: SECRET }] },
			{ credential: [`ada:${SECRET}`] },
			{ credentials: [SECRET] },
			{ credentials: [`:${SECRET}`] },
			{ credentials: [`ada:{sha256}${SECRET}`] },
			{ credentials: [`ada:${SECRET}\n`] },
			{ credentials: [`ada:${SECRET.repeat(20)}`] },
			{ credentials: [`ada:\${'${SECRET}' + 1}`] },
			{ credentials: [`ada:\${${SECRET}`] },
			{ credentials: [`ada:${SECRET}`], enforce: SECRET, forward: SECRET },
			`ada:${SECRET}`,
		],
	},
};

let server: Server;
let upstream: TestUpstream;
/** everything that left weir */
const told: string[] = [];
beforeAll(async () => {
	upstream = await startUpstream();
	server = await startServer({ workers: 2, config: { log: { level: "trace", access: true } } });
	await server.route(upstream.port);
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
});

const ROUTE = "/edges/https/e/routes/r";
async function api(method: string, path: string, document?: unknown, headers = {}) {
	const answer = await server.api(method, path, document, headers);
	told.push(JSON.stringify(answer.rawHeaders), answer.body);
	return answer;
}
async function go(path: string, authorization: string) {
	const answer = await send(server.port, path, { headers: { host: "a.example", authorization } });
	told.push(JSON.stringify(answer.rawHeaders), answer.body);
	return answer;
}
const policyOf = (type: string, config: unknown) => ({
	on_http_request: [
		{
			actions: [
				{ type, config },
				{
					type: "log",
					config: { metadata: { user: "${actions.basic_auth.credentials.username}" } },
				},
			],
		},
	],
});

it("all actions with secrets are looked at", () => {
	expect(EVERY_TYPE.filter((type) => actionOf(type).seal !== undefined)).toEqual(
		Object.keys(CONFIGS),
	);
});

it("what is stored, answered and logged of a valid policy", async () => {
	for (const [type, { valid }] of Object.entries(CONFIGS))
		for (const config of valid) {
			const document = policyOf(type, config);
			const yaml = { "content-type": "application/yaml" };
			const puts = [
				await api("PUT", `${ROUTE}/policy`, document),
				await api("PUT", `${ROUTE}/policy`, JSON.stringify(document, null, 1), yaml),
				await api("PUT", `${ROUTE}/traffic_policy`, { value: JSON.stringify(document) }),
			];
			expect(puts.map(({ status }) => status)).toEqual([200, 200, 200]);
			expect(new Set(puts.map(({ headers }) => headers.etag)).size).toBe(1);
			for (const path of [`${ROUTE}/policy`, `${ROUTE}/traffic_policy`, "/policies", "/metrics"])
				expect((await api("GET", path)).status).toBe(200);
			expect((await go("/right", basic(`ada:${SECRET}`))).status).toBe(200);
			await go("/wrong", basic(`ada:${WRONG}`));
			await go("/torn", `Basic ${SECRET}`);
		}
	const port = upstream.port;
	await api("PUT", `${ROUTE}`, {
		match_type: "path_prefix",
		match: "/",
		backend: { urls: ["http://127.0.0.1:1"] },
	});
	expect((await go("/dead", basic(`ada:${SECRET}`))).status).toBe(502);
	await server.route(port);
});

it("what is said of mistakes", async () => {
	const files: string[] = [];
	for (const [type, { mistaken }] of Object.entries(CONFIGS))
		for (const config of mistaken) {
			const document = JSON.stringify(policyOf(type, config));
			const answers = [
				await api("PUT", `${ROUTE}/policy`, document),
				await api("PUT", `${ROUTE}/policy`, document.slice(0, -1)),
				await api("PUT", `${ROUTE}/policy`, document.replace(SECRET, `${SECRET}" "`)),
				await api("PUT", `${ROUTE}/policy`, `${document}\nx: ${SECRET}: y`, {
					"content-type": "application/yaml",
				}),
				await api("PUT", `${ROUTE}/traffic_policy`, { value: document }),
			];
			for (const { status, body } of answers) expect(status, body).toBe(400);
			files.push(join(server.folder, `${files.length}.json`));
			writeFileSync(files.at(-1) ?? "", document);
		}
	for (const form of [[], ["--json"]]) {
		const { status, stdout, stderr } = await run("check", ...files, ...form);
		expect(status, stdout).toBe(1);
		told.push(stdout, stderr);
	}
});

it("a credential that only a request decides, and fails", async () => {
	const credentials = ["ada:${req.headers['x-none'][0]}"];
	await api("PUT", `${ROUTE}/policy`, policyOf("basic-auth", { credentials }));
	expect((await go("/fails", basic(`ada:${SECRET}`))).status).toBe(500);
});

it("a backup", async () => {
	const [config = {}] = CONFIGS["basic-auth"]?.valid ?? [];
	await api("PUT", `${ROUTE}/policy`, policyOf("basic-auth", config));
	const file = join(server.folder, "backup");
	const data = join(server.folder, "data");
	const { status, stdout, stderr } = await run("backup", file, "--data-dir", data);
	expect(status, stderr).toBe(0);
	told.push(stdout, stderr, readFileSync(file, "utf8"));
});

it("none of all that has the secret, nor has a file", async () => {
	await until(
		() => server.logLines().find(({ path }) => path === "/fails"),
		"the last request in the log",
	);
	const files = [server.logFile, ...filesIn(join(server.folder, "data"))];
	const texts = [
		...told,
		server.stdout,
		server.stderr,
		...files.map((file) => readFileSync(file, "latin1")),
	];
	expect(texts.length).toBeGreaterThan(100);
	expect(texts.some((text) => text.includes("{sha256}"))).toBe(true);
	const forms = [SECRET, WRONG, basic(`ada:${SECRET}`), basic(`ada:${WRONG}`)].flatMap((text) => [
		text,
		text.replace(/^Basic /, ""),
	]);
	for (const text of texts) for (const form of forms) expect(text.includes(form)).toBe(false);
});

const filesIn = (folder: string): string[] =>
	readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
