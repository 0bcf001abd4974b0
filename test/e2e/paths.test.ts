/**
 * Contract 6, paths: what a real backend serves is what the policy saw, however the client spells it. Spellings
 * that somebody would try who looks for a way round a policy, through a real weir to real servers; beside it, that
 * the models of `http/path-readers.ts` read paths as these servers do.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	ADVISED,
	ADVISED_FOR_SERVLETS,
	BACKENDS,
	decoded,
	spelling,
} from "../http/path-readers.ts";
import {
	type FileServer,
	startNginxFiles,
	startNode,
	startPython,
	writeFiles,
} from "./file-servers.ts";
import { type Server, startServer } from "./harness.ts";
import { isInstalled } from "./programs.ts";

const SPELLINGS = 500;
const NAMES = (["nginx", "python", "node", "url"] as const).filter(
	(name) =>
		(name !== "nginx" || isInstalled("nginx", "-v", "paths are not tried with it")) &&
		(name !== "python" || isInstalled("python3", "--version", "paths are not tried with it")),
);
const LEFT_OUT = (["nginx", "python"] as const).filter((name) => !NAMES.includes(name));

const folder = mkdtempSync(join(tmpdir(), "weir-paths-"));
const FOLDERS = ["", "/a", "/x", "/admin"];
const FILES = FOLDERS.flatMap((first) =>
	FOLDERS.flatMap((second) => FOLDERS.map((third) => `${first}${second}${third}/secret.txt`)),
);

let weir: Server;
const servers = new Map<string, FileServer>();
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

const deny = (expression: string, status_code: number) => ({
	expressions: [expression],
	actions: [{ type: "deny", config: { status_code } }],
});
const SHOW_PATH = {
	inbound: [{ actions: [{ type: "custom-response", config: { content: `\${req.url.path}` } }] }],
};
const GUARDED = {
	inbound: [deny(ADVISED, 400), deny("req.url.path.startsWith('/admin')", 403)],
};

async function put(edge: string, port: number, policy: object | undefined): Promise<void> {
	const at = `/edges/https/${edge}`;
	await weir.must(weir.api("PUT", at, { hostports: [`${edge}.test`] }));
	const backend = { urls: [`http://127.0.0.1:${port}`] };
	const route = { match_type: "path_prefix", match: "/", backend };
	await weir.must(weir.api("PUT", `${at}/routes/all`, route));
	if (policy !== undefined) {
		await weir.must(weir.api("PUT", `${at}/routes/all/policy`, policy));
	}
}

beforeAll(async () => {
	const root = join(folder, "root");
	writeFiles(root, FILES);
	for (const name of NAMES) {
		if (name === "nginx") servers.set(name, await startNginxFiles(root, join(folder, "nginx")));
		else if (name === "python") servers.set(name, await startPython(root));
		else servers.set(name, await startNode(root, name));
	}
	weir = await startServer({ workers: 1, folder });
	for (const [name, { port }] of servers) {
		await put(name, port, undefined);
		await put(`${name}-guarded`, port, GUARDED);
	}
	await put("policy", servers.get("node")?.port ?? 0, SHOW_PATH);
}, 60_000);
afterAll(async () => {
	agent.destroy();
	await weir?.stop();
	for (const server of servers.values()) await server.close();
	rmSync(folder, { recursive: true, force: true });
});

interface Got {
	readonly status: number;
	readonly body: string;
}

/** @param host an edge's, or nothing particular for a backend itself */
const ask = (port: number, host: string, path: string): Promise<Got> =>
	new Promise((resolve, reject) => {
		const target = Buffer.from(path, "utf8").toString("latin1");
		const options = { host: "127.0.0.1", port, path: target, agent, headers: { host } };
		request(options, (response) => {
			let body = "";
			response.setEncoding("latin1");
			response.on("data", (chunk) => {
				body += chunk;
			});
			response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
			response.on("error", reject);
		})
			.on("error", reject)
			.end();
	});
const through = (edge: string, path: string) => ask(weir.port, `${edge}.test`, path);

/** How many of which kind there were: a property about none of them would prove nothing. */
const seen = { refused: 0, served: 0, guarded: 0, bare: 0 };

async function tryBackend(name: (typeof NAMES)[number], path: string, policy: Got): Promise<void> {
	const { serves, reads } = BACKENDS[name];
	const [bare, passed, guarded] = await Promise.all([
		ask(servers.get(name)?.port ?? 0, "bare", path),
		through(name, path),
		through(`${name}-guarded`, path),
	]);
	if (bare.status === 200 && FILES.includes(bare.body)) {
		seen.bare++;
		expect(bare.body).toBe(serves(path));
	} else {
		expect(FILES).not.toContain(serves(path));
	}
	if (policy.status === 400) {
		expect([passed.status, guarded.status]).toEqual([400, 400]);
		seen.refused++;
		return;
	}
	if (passed.status === 200 && FILES.includes(passed.body)) {
		seen.served++;
		expect(passed.body).toBe(reads(policy.body));
	}
	if (guarded.status === 200 && FILES.includes(guarded.body)) {
		seen.guarded++;
		expect(guarded.body).toBe(decoded(policy.body));
		expect(guarded.body).not.toMatch(/^\/admin/);
	}
}

async function tryAll(path: string): Promise<void> {
	const policy = await through("policy", path);
	expect([200, 400]).toContain(policy.status);
	await Promise.all(NAMES.map((name) => tryBackend(name, path, policy)));
}

for (const name of LEFT_OUT) it.skip(`${name} is not installed: paths are not tried with it`);

describe("the ways round a policy that backends' habits open", () => {
	it.each([
		"/a//../admin/secret.txt",
		"/a/x//../../admin/secret.txt",
		"/x//%2e%2e/admin/secret.txt",
		"/%2fadmin/secret.txt",
		"//%2Fadmin/secret.txt",
		"/a/%2F/../admin/secret.txt",
		"/admin%2Fx/../secret.txt",
		"/a/..%2Fadmin/secret.txt",
		"/x/%5C/../admin/secret.txt",
		"//../admin/secret.txt",
		"/a/..%3F/secret.txt",
	])("%s is refused", async (path) => {
		for (const name of NAMES) {
			expect((await through(name, path)).status).toBe(400);
			expect((await through(`${name}-guarded`, path)).status).toBe(400);
		}
	});

	it.each([
		"/a/../admin/secret.txt",
		"/a/%2e%2E/admin/./secret.txt",
		"/../x/../admin/secret.txt",
		"/x/../%61dmin/secret.txt",
	])("%s goes upstream as the policy sees it", async (path) => {
		expect(await through("policy", path)).toEqual({ status: 200, body: "/admin/secret.txt" });
		for (const name of NAMES) {
			expect(await through(name, path)).toEqual({ status: 200, body: "/admin/secret.txt" });
			expect((await through(`${name}-guarded`, path)).status).toBe(403);
		}
	});

	it("what merges or divides without dots is for the advised rule", async () => {
		for (const name of NAMES) {
			for (const path of ["//admin/secret.txt", "/admin%2Fsecret.txt", "//x/admin/secret.txt"]) {
				expect((await through(`${name}-guarded`, path)).status).toBe(400);
			}
			expect((await through(`${name}-guarded`, "/x/admin/secret.txt")).status).toBe(200);
		}
	});
});

it("any spelling: no segment is taken away behind the policy's back, and with the advised rule nothing differs", async () => {
	await fc.assert(fc.asyncProperty(spelling, tryAll), { numRuns: SPELLINGS, seed: 20_260_901 });
	expect(seen.refused).toBeGreaterThan(SPELLINGS / 4);
	expect(seen.served).toBeGreaterThan(SPELLINGS / 10);
	expect(seen.guarded).toBeGreaterThan(SPELLINGS / 50);
	expect(seen.bare).toBeGreaterThan(SPELLINGS / 4);
}, 60_000);

it("the rules tried are those that docs/contract.md advises", () => {
	const contract = readFileSync(
		join(import.meta.dirname, "..", "..", "docs", "contract.md"),
		"utf8",
	);
	expect(contract.includes(`\`${ADVISED}\``)).toBe(true);
	expect(ADVISED_FOR_SERVLETS).toBe(ADVISED.replace("%5C", "%5C|;"));
});
