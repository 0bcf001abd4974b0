/**
 * `weir apply`, `export` and `diff` as a user meets them, against one real server: files become what is served, the same
 * files change nothing, what is exported is the same again, and a failure half-way says what was done.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
	KEY,
	MAIN,
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
} from "./harness.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-apply-"));
let server: Server;
let upstream: TestUpstream;

beforeAll(async () => {
	[server, upstream] = await Promise.all([startServer({ workers: 2 }), startUpstream()]);
});
afterAll(async () => {
	await server.cleanUp();
	await upstream.close();
	rmSync(folder, { recursive: true, force: true });
});

interface Ran {
	readonly status: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

const weir = (...args: readonly string[]): Promise<Ran> => piped("", ...args);

function piped(input: string, ...args: readonly string[]): Promise<Ran> {
	return new Promise((resolve) => {
		const child = spawn(
			process.execPath,
			[MAIN, ...args, "--url", `http://127.0.0.1:${server.managementPort}`],
			{
				cwd: folder,
				env: { ...process.env, WEIR_API_KEY: KEY },
				stdio: ["pipe", "pipe", "pipe"],
			},
		);
		child.stdin.on("error", () => {}).end(input);
		let [stdout, stderr] = ["", ""];
		child.stdout.on("data", (chunk) => {
			stdout += chunk;
		});
		child.stderr.on("data", (chunk) => {
			stderr += chunk;
		});
		child.on("close", (status) => resolve({ status, stdout, stderr }));
	});
}

const file = (name: string): string => join(folder, name);
const write = (name: string, text: string): void => writeFileSync(file(name), text);
const statusAt = async (path: string, host = "shop.example") =>
	(await send(server.ports[0] ?? 0, path, { headers: { host } })).status;

const site = (admin = "{type: deny}"): string => `# our shop
ip_lists:
  office: {entries: [192.0.2.0/24]} # of the house
edges:
  site:
    hostports: [shop.example]
    routes:
      all: {match_type: path_prefix, match: /, backend: {urls: ["http://127.0.0.1:${upstream.port}"]}}
      admin:
        match_type: path_prefix
        match: /admin
        backend: {urls: ["http://127.0.0.1:${upstream.port}"]}
        policy:
          inbound:
            - name: stage
              expressions: ["req.host == 'stage'"]
              actions: [{type: basic-auth, config: {credentials: ["ada:correct horse"]}}]
            # nobody
            - name: closed
              actions: [${admin}]
          tests:
            - {name: closed, request: {url: /admin}, expect: {status: 403}}
`;

it("makes files what is served, and asks before it does", async () => {
	write("site.yaml", site());
	const dry = await weir("apply", "-f", "site.yaml", "--dry-run");
	expect(dry.status).toBe(0);
	expect(dry.stdout).toContain("+ policy site/admin\n");
	expect(dry.stdout).not.toContain("correct horse");
	expect(dry.stdout).toContain("5 to create, 0 to change, 0 to delete, 0 as they are\n");
	const unasked = await weir("apply", "site.yaml");
	expect(unasked).toMatchObject({ status: 2, stderr: expect.stringContaining("say --yes") });
	expect(await statusAt("/")).toBe(404);
	const done = await weir("apply", "site.yaml", "--yes");
	expect(done).toMatchObject({
		status: 0,
		stdout: expect.stringContaining("done: 5 of 5 changes"),
	});
	expect(await Promise.all([statusAt("/"), statusAt("/admin")])).toEqual([200, 403]);
	const again = await weir("apply", "site.yaml", "--yes");
	expect(again.stdout).toBe("0 to create, 0 to change, 0 to delete, 5 as they are\n");
	expect((await weir("diff", "site.yaml")).status).toBe(0);
});

it("takes what is piped, names it stdin, and asks nothing of it", async () => {
	const address = "ip_lists: {piped: {entries: [192.0.2.1]}}\n";
	expect(await piped(address, "apply", "-f", "-")).toMatchObject({
		status: 2,
		stderr: expect.stringContaining("say --yes"),
	});
	expect(await piped(address, "diff", "-")).toMatchObject({
		status: 1,
		stdout: expect.stringContaining("+ address list piped\n"),
	});
	expect(await piped(address, "apply", "-", "--yes")).toMatchObject({
		status: 0,
		stdout: expect.stringContaining("done: 1 of 1 changes"),
	});
	const mistaken = await piped("ip_lists: {piped: {entries: [x]}}\n", "apply", "-f", "-", "--yes");
	expect(mistaken).toMatchObject({
		status: 1,
		stderr: expect.stringContaining("stdin:1:30: /ip_lists/piped/entries/0: error: "),
	});
	expect((await weir("export", "-")).stdout).toContain("piped:\n");
	write("site.yaml", site());
	const rest = await piped(site(), "apply", "-", "site.yaml", "--yes");
	expect(rest).toMatchObject({ status: 1, stderr: expect.stringContaining("stands at stdin:") });
	const all = await piped(site(), "apply", "-", "--yes", "--prune");
	expect(all.stdout).toContain("- address list piped\n");
});

it("exports what is the same again, into a file without touching what did not change", async () => {
	expect((await weir("export", "site.yaml")).status).toBe(0);
	expect(readFileSync(file("site.yaml"), "utf8")).toBe(site());
	write("out.yaml", (await weir("export")).stdout);
	expect((await weir("apply", "out.yaml", "--yes", "--prune")).stdout).toMatch(
		/^0 to create, 0 to/,
	);
	write("out.json", (await weir("export", "--json")).stdout);
	expect((await weir("diff", "out.yaml", "out.json")).status).toBe(0);
	const secret = (word: string) =>
		`policies: {a/b: {inbound: [{actions: [{type: basic-auth, config: {credentials: ["u:${word}"]}}]}]}}`;
	const others = {
		"weir.yaml": "listen: 127.0.0.1:0\n",
		"policy.yaml": "inbound: [] # mine\n",
		"policy.json": '{"inbound": []}',
		"note.txt": "not to be lost\n",
	};
	for (const [name, text] of Object.entries(others)) {
		write(name, text);
		expect(await weir("export", name)).toMatchObject({
			status: 1,
			stderr: expect.stringMatching(/is left as it is: export to another file\n$/),
		});
		expect(readFileSync(file(name), "utf8")).toBe(text);
	}
	expect((await weir("export", "out.json")).status).toBe(0);
	write("old.yaml", secret("first-word"));
	write("new.yaml", secret("other-word"));
	const differs = await weir("diff", "old.yaml", "new.yaml");
	expect(differs).toMatchObject({ status: 1, stdout: expect.stringContaining("u:{sha256}") });
	expect(differs.stdout).not.toContain("-word");
});

it("changes nothing where a document is wrong, its tests fail, or the key is", async () => {
	write("untrue.yaml", site("{type: deny, config: {status_code: 404}}"));
	const untrue = await weir("apply", "untrue.yaml", "--yes");
	expect(untrue).toMatchObject({ status: 1, stdout: "" });
	expect(untrue.stderr).toMatch(
		/untrue\.yaml:22:\d+: .*expected 403, got 404 \(deny by inbound rule 1/,
	);
	const refused = await weir("apply", "site.yaml", "--key", "wrong");
	expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("ERR_FORBIDDEN") });
	expect((await weir("diff", "untrue.yaml")).status).toBe(2);
});

it("deletes only where it is told to, and not most of it by mistake", async () => {
	write("little.yaml", "ip_lists: {office: {entries: [192.0.2.0/24]}}\n");
	write("nothing.yaml", "");
	for (const name of ["little.yaml", "nothing.yaml"]) {
		const most = await weir("apply", name, "--yes", "--prune");
		expect(most).toMatchObject({ status: 1, stderr: expect.stringContaining("add --prune-most") });
	}
	expect((await weir("apply", "little.yaml", "--yes")).stdout).toMatch(/0 to delete/);
	expect(await statusAt("/admin")).toBe(403);
});

it("hands a path over together with its protection, all or nothing", async () => {
	const renamed = site().replace("      admin:\n", "      locked:\n");
	write("renamed.yaml", renamed);
	const statuses: (number | undefined)[] = [];
	let isOver = false;
	const asking = (async () => {
		while (!isOver) statuses.push(await statusAt("/admin"));
	})();
	const moved = await weir("apply", "renamed.yaml", "--yes", "--prune");
	expect(moved).toMatchObject({ status: 0 });
	const back = await weir("apply", "site.yaml", "--yes", "--prune", "--atomic");
	expect(back).toMatchObject({
		status: 0,
		stdout: expect.stringContaining("deleted route site/locked"),
	});
	isOver = true;
	await asking;
	expect(statuses.length).toBeGreaterThan(20);
	expect(new Set(statuses)).toEqual(new Set([403]));
});

it("says after a failure what was done and what was not, and nothing is done of a transaction", async () => {
	await server.api("PUT", "/edges/https/other", { hostports: ["taken.example"] });
	const failing = `
edges:
  a: {hostports: [a.example]}
  b: {hostports: [taken.example]}
  c: {hostports: [c.example]}
`;
	write("failing.yaml", failing);
	const atomic = await weir("apply", "failing.yaml", "--yes", "--atomic");
	expect(atomic.status).toBe(1);
	expect(atomic.stderr).toContain("/operations/1: The hostport");
	expect(atomic.stderr).toContain("nothing was changed");
	expect((await server.api("GET", "/edges/https/a")).status).toBe(404);
	const stepwise = await weir("apply", "failing.yaml", "--yes");
	expect(stepwise).toMatchObject({
		status: 1,
		stdout: expect.stringContaining("created edge a\n"),
	});
	expect(stepwise.stderr).toContain("not done: create edge b\nnot done: create edge c\n");
	expect(stepwise.stderr).toContain("1 of 3 changes were made");
	const dry = ["--prune", "--prune-most", "--dry-run"];
	const known = await weir("apply", "failing.yaml", ...dry);
	expect([known.status, known.stdout]).toEqual([0, expect.stringContaining("- edge other")]);
});
