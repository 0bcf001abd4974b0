/** Versions of a policy as people meet them: with `weir diff --versions` and `weir rollback`, against one real server. */
import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KEY, MAIN, type Server, send, startServer } from "./harness.ts";

let server: Server;

beforeAll(async () => {
	server = await startServer({ workers: 2 });
});
afterAll(() => server.cleanUp());

interface Ran {
	readonly status: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

function weir(...args: readonly string[]): Promise<Ran> {
	return new Promise((resolve) => {
		const url = ["--url", `http://127.0.0.1:${server.managementPort}`];
		const child = spawn(process.execPath, [MAIN, ...args, ...url], {
			env: { ...process.env, WEIR_API_KEY: KEY },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let [stdout, stderr] = ["", ""];
		child.stdout.on("data", (piece) => {
			stdout += piece;
		});
		child.stderr.on("data", (piece) => {
			stderr += piece;
		});
		child.on("close", (status) => resolve({ status, stdout, stderr }));
	});
}

const POLICY = "/edges/https/site/routes/all/policy";
const denying = (status: number) => ({
	inbound: [
		{ name: `answers ${status}`, actions: [{ type: "deny", config: { status_code: status } }] },
	],
});
const served = async () => (await send(server.port, "/", { headers: { host: "a.test" } })).status;

it("are listed, compared and brought back", async () => {
	await server.api("PUT", "/edges/https/site", { hostports: ["a.test"] });
	await server.api("PUT", "/edges/https/site/routes/all", {
		...{ match_type: "path_prefix", match: "/", backend: { urls: ["http://127.0.0.1:9"] } },
	});
	expect((await server.api("PUT", POLICY, denying(401))).status).toBe(200);
	expect((await server.api("PUT", POLICY, denying(402))).status).toBe(200);
	expect(await served()).toBe(402);

	const listed = await weir("rollback", "site/all");
	expect(listed.status).toBe(0);
	expect(listed.stdout).toMatch(/^VERSION +TIME +KEY +REQUEST +SIZE\n2 .* in force\n1 [^\n]*B\n$/);

	const differ = await weir("diff", "--versions", "1..2", "site/all");
	expect(differ).toMatchObject({ status: 1, stderr: "" });
	expect(differ.stdout).toContain("version 1 and version 2 differ");
	expect(differ.stdout).toMatch(/- .*answers 401[\s\S]*\+ .*answers 402/);
	expect((await weir("diff", "--versions", "2", "site/all")).status).toBe(0);

	const dry = await weir("rollback", "site/all", "1", "--dry-run");
	expect(dry.status).toBe(0);
	expect(dry.stdout).toMatch(/- .*answers 402[\s\S]*\+ .*answers 401/);
	const unasked = await weir("rollback", "site/all", "1");
	expect(unasked.status).toBe(2);
	expect(unasked.stderr).toContain("nothing was changed: say --yes");
	expect(await served()).toBe(402);

	const done = await weir("rollback", "site/all", "1", "--yes");
	expect(done).toMatchObject({ status: 0, stderr: "" });
	expect(done.stdout).toContain("done: version 1 is in force");
	expect(await served()).toBe(401);
	expect((await weir("rollback", "site/all", "1", "--yes")).stdout).toContain("already");
	expect((await weir("rollback", "site/all")).stdout).toContain("rolled back to 1");
}, 120_000);

it("of a deleted policy are there, and say what is wrong", async () => {
	await server.api("PUT", POLICY, denying(401));
	await server.api("DELETE", POLICY);
	expect(await weir("rollback", "site/all", "1", "--yes")).toMatchObject({ status: 0 });
	expect(await served()).toBe(401);

	const unknown = await weir("rollback", "site/all", "99");
	expect(unknown.status).toBe(1);
	expect(unknown.stderr).toContain("are kept");
	expect((await weir("rollback", "site")).status).toBe(2);
	expect((await weir("rollback", "site/all", "x")).status).toBe(2);
	expect((await weir("diff", "--versions", "1...2", "site/all")).status).toBe(2);
	expect((await weir("diff", "--versions", "1..2")).status).toBe(2);
}, 120_000);
