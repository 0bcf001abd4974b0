/**
 * `weir keys` beside a running server: stopped wherever it is, it holds nobody up; and what lies in the data
 * folder is for weir's user alone.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { preload } from "../faults/preload.ts";
import { kill, MAIN, type Server, startServer, until } from "./harness.ts";

let server: Server;
beforeAll(async () => {
	server = await startServer({ workers: 1 });
});
afterAll(() => server.cleanUp());

const data = () => join(server.folder, "data");

function keys(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
	const child = spawn(process.execPath, [MAIN, "keys", ...words, "--data-dir", data()], {
		env: { ...process.env, ...environment },
	});
	onTestFinished(() => kill(child.pid ?? 0, "SIGKILL"));
	const ran = { child, output: "" };
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk) => {
			ran.output += chunk;
		});
	return ran;
}

/** `T` in the third field: stopped by a signal; proc(5). */
const isStopped = (child: ChildProcess): boolean =>
	/^\d+ \(.*\) T /.test(readFileSync(`/proc/${child.pid}/stat`, "latin1"));

const exited = ({ child }: { readonly child: ChildProcess }) =>
	until(() => child.exitCode ?? undefined, "the command to end");

let edges = 0;
async function expectWrites(): Promise<void> {
	const answer = await server.api("PUT", `/edges/https/e${edges}`, {
		hostports: [`e${edges++}.example`],
	});
	expect(answer.status).toBe(201);
}

it("leaves nothing in the data folder that others could read", () => {
	const names = readdirSync(data()).sort();
	expect(names).toEqual(["control.sock", "counters", "data.mdb", "lock.mdb"]);
	for (const name of names)
		expect([name, statSync(join(data(), name)).mode & 0o777]).toEqual([name, 0o600]);
	expect(statSync(data()).mode & 0o777).toBe(0o700);
});

it("leaves nothing that others could read in a folder that they may enter, and says so", async () => {
	const folder = mkdtempSync(join(tmpdir(), "weir-wide-"));
	mkdirSync(join(folder, "data"));
	chmodSync(join(folder, "data"), 0o755);
	const wide = await startServer({ workers: 1, folder });
	try {
		for (const name of ["control.sock", "counters", "data.mdb", "lock.mdb"])
			expect([name, statSync(join(folder, "data", name)).mode & 0o777]).toEqual([name, 0o600]);
		expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o755);
		const warnings = wide.logLines().filter(({ level }) => level === "warn");
		expect(warnings).toMatchObject([{ msg: expect.stringContaining("has the rights 0755") }]);
	} finally {
		await wide.cleanUp();
	}
});

it.runIf(process.platform === "linux")(
	"keeps no write waiting, even if it is stopped in a commit",
	async () => {
		const faults = join(server.folder, "faults");
		writeFileSync(faults, "sync stop");
		const create = keys(["create"], { LD_PRELOAD: preload("sync").file, WEIR_FAULTS: faults });
		await until(
			() => create.child.exitCode !== null || isStopped(create.child) || undefined,
			"the command to end, or to be stopped in a commit of its own",
		);
		await expectWrites();
		expect(await exited(create)).toBe(0);
		const [id = "", key = ""] = create.output.split(/\s+/);
		const authorization = `Bearer ${key}`;
		expect((await server.api("GET", "/edges/https", undefined, { authorization })).status).toBe(
			200,
		);
		const revoke = keys(["revoke", id]);
		expect(await exited(revoke)).toBe(0);
		expect((await server.api("GET", "/edges/https", undefined, { authorization })).status).toBe(
			403,
		);
	},
);

it("works after a kill -9, which leaves the socket behind", async () => {
	await server.killAll();
	expect(readdirSync(data())).toContain("control.sock");
	const create = keys(["create"]);
	expect([await exited(create), create.output]).toEqual([0, expect.stringContaining("weir_")]);
	server = await startServer({ workers: 1, folder: server.folder });
	const list = keys(["list"]);
	expect(await exited(list)).toBe(0);
	expect(list.output).toContain(create.output.split(/\s+/)[0]);
	await expectWrites();
});
