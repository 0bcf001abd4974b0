/** The real server's audit lines: of the API, of clients that leave, of `weir keys` beside it and without it. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KEY, MAIN, type Server, startServer, until } from "./harness.ts";

let server: Server;
beforeAll(async () => {
	server = await startServer({ workers: 1 });
});
afterAll(() => server.cleanUp());

const audited = () => server.logLines().filter(({ msg }) => msg === "audit");

function keys(...words: readonly string[]) {
	const command = [MAIN, "keys", ...words, "--config", `${server.folder}/weir.json`];
	const { stdout, stderr, status } = spawnSync(process.execPath, command, { encoding: "utf8" });
	return { stdout, stderr, status, id: stdout.split(" ")[0] ?? "" };
}

it("has one line for each of many changes at once, which names its answer", async () => {
	const numbers = Array.from({ length: 200 }, (_, index) => index);
	const answers = await Promise.all(
		numbers.map((index) =>
			server.api("PUT", `/edges/https/many${index}`, { hostports: [`${index % 150}.example`] }),
		),
	);
	const lines = await until(() => {
		const some = audited();
		return some.length >= answers.length ? some : undefined;
	}, "the audit lines");
	const told = lines.map(({ request_id, status }) => `${request_id} ${status}`);
	expect(told.sort()).toEqual(
		answers.map(({ headers, status }) => `${headers["request-id"]} ${status}`).sort(),
	);
	expect(lines.filter(({ result }) => result === "created")).toHaveLength(150);
	expect(lines.filter(({ error_code }) => error_code === "ERR_HOSTPORT_CONFLICT")).toHaveLength(50);
	expect(lines[0]).toMatchObject({
		level: "info",
		pid: server.child.pid,
		via: "api",
		key_id: "configured",
		operation: "putEdge",
		client_ip: "127.0.0.1",
		client_port: expect.any(Number),
	});
});

it("has a line for a change whose client did not wait for the answer", async () => {
	const body = JSON.stringify({ hostports: ["gone.example"] });
	const head = [
		"PUT /edges/https/gone HTTP/1.1",
		"host: localhost",
		`authorization: Bearer ${KEY}`,
		"content-type: application/json",
		`content-length: ${body.length}`,
	].join("\r\n");
	const socket = connect(server.managementPort, "127.0.0.1", () =>
		socket.write(`${head}\r\n\r\n${body}`, () => socket.destroy()),
	);
	const line = await until(() => audited().find(({ edge }) => edge === "gone"), "the line");
	const { status } = await server.api("GET", "/edges/https/gone");
	expect([line.result, status]).toEqual(
		line.after === undefined ? ["abandoned", 404] : ["created", 200],
	);
});

it("has a line for keys that are made and revoked beside it, and without it", async () => {
	const beside = keys("create", "--description", "of a test");
	expect(keys("revoke", beside.id).status).toBe(0);
	expect(keys("revoke", beside.id).status).toBe(1);
	await server.stop();
	const without = keys("create");
	expect(keys("list").status).toBe(0);
	const lines = audited().filter(({ via }) => via !== "api");
	expect(
		lines.map(({ via, operation, api_key, result }) => [via, operation, api_key, result]),
	).toEqual([
		["control socket", "createKey", beside.id, "created"],
		["control socket", "revokeKey", beside.id, "deleted"],
		["command", "createKey", without.id, "created"],
	]);
	expect(lines[0]).toMatchObject({ api_key_name: "of a test" });
	for (const { stdout } of [beside, without])
		expect(JSON.stringify(lines)).not.toContain(stdout.split(" ").at(-1)?.trim());
	server = await startServer({ workers: 1, folder: server.folder });
});

it("has a file of its own where log.audit says so, also from a reload on and after rotation", async () => {
	const own = (): string[] => {
		const [file, old] = ["audit.log", "audit.log.1"].map((name) => join(server.folder, name));
		return [old, file]
			.flatMap((path = "") => (existsSync(path) ? readFileSync(path, "utf8").split("\n") : []))
			.filter((line) => line !== "")
			.map((line) => JSON.parse(line).edge);
	};
	const config = join(server.folder, "weir.json");
	const settings = JSON.parse(readFileSync(config, "utf8"));
	settings.log = { ...settings.log, audit: "audit.log", level: "warn" };
	const put = async (edge: string) =>
		server.must(server.api("PUT", `/edges/https/${edge}`, { hostports: [`${edge}.example`] }));
	const logged = (edge: string) => until(() => own().includes(edge) || undefined, edge);
	await put("before");
	writeFileSync(config, JSON.stringify(settings));
	const lines = server.logLines().length;
	server.child.kill("SIGHUP");
	await until(() => existsSync(join(server.folder, "audit.log")) || undefined, "the file");
	await until(async () => {
		await put("after");
		return own().includes("after") || undefined;
	}, "the reload");
	renameSync(join(server.folder, "audit.log"), join(server.folder, "audit.log.1"));
	server.child.kill("SIGUSR1");
	await until(() => existsSync(join(server.folder, "audit.log")) || undefined, "the new file");
	await put("rotated");
	await logged("rotated");
	expect(own()).not.toContain("before");
	const others = server.logLines().slice(lines);
	expect(others.some(({ edge }) => edge === "rotated")).toBe(false);
});
