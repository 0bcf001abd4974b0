/**
 * API keys on the command line and at the API of a real server (contract 1, "API keys"; contract 2, "Roles"): what a
 * role may do, when a key ends, and when it was last used.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "./commands.ts";
import { type Server, startServer, until } from "./harness.ts";

let server: Server;
beforeAll(async () => {
	server = await startServer({ workers: 1 });
});
afterAll(() => server?.cleanUp());

const keys = (...words: string[]) =>
	run("keys", ...words, "--data-dir", join(server.folder, "data"));

async function create(...words: string[]): Promise<{ id: string; key: string }> {
	const created = await keys("create", ...words, "--json");
	expect([created.status, created.stderr]).toEqual([
		0,
		expect.stringMatching(/^The key is shown this once; only its hash is kept\. Its role is /),
	]);
	return JSON.parse(created.stdout);
}

const listed = async (id: string) => {
	const { stdout } = await keys("list", "--json");
	return JSON.parse(stdout).find((key: { id: string }) => key.id === id);
};

async function ask(key: string, method: string, path: string): Promise<string> {
	const document = method === "PUT" ? { hostports: ["keys.example"] } : undefined;
	const answer = await server.api(method, path, document, { authorization: `Bearer ${key}` });
	const code = answer.body.startsWith("{") ? JSON.parse(answer.body).error_code : undefined;
	return code === undefined ? String(answer.status) : `${answer.status} ${code}`;
}

const REFUSED = "403 ERR_ROLE_REQUIRED";

it.each([
	["admin", ["201", "200", "200", "204"]],
	["read", [REFUSED, "200", "200", REFUSED]],
	["metrics", [REFUSED, REFUSED, "200", REFUSED]],
])("a key for %s may do what its role allows, from the next request on", async (role, expected) => {
	const { id, key } = await create("--role", role, "--name", `for ${role}`);
	const edge = "/edges/https/keys";
	const found = [
		await ask(key, "PUT", edge),
		await ask(key, "GET", "/edges/https"),
		await ask(key, "GET", "/metrics"),
		await ask(key, "DELETE", edge),
	];
	expect(found).toEqual(expected);
	expect(await listed(id)).toMatchObject({ name: `for ${role}`, role, expires_at: null });
	expect((await keys("revoke", `for ${role}`)).stderr).toContain(
		`Revoked ${id}, whose role was ${role}.\n`,
	);
	expect(await ask(key, "GET", "/metrics")).toBe("403 ERR_FORBIDDEN");
});

it("a key ends when it was said to", async () => {
	const expiresMs = Date.now() + 8000;
	const expires = new Date(expiresMs).toISOString();
	const { id, key } = await create("--expires", expires);
	expect(await ask(key, "GET", "/edges/https")).toBe("200");
	await until(
		async () =>
			Date.now() > expiresMs - 500 &&
			(await ask(key, "GET", "/edges/https")) === "403 ERR_KEY_EXPIRED"
				? true
				: undefined,
		"the key's end",
		30_000,
	);
	expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires));
	expect((await keys("list")).stdout).toMatch(new RegExp(`^${id}  admin  .* \\(expired\\)$`, "m"));
	await keys("revoke", id);
});

it("a thousand GETs write nothing to the store, and are seen at once, later and after a restart", async () => {
	// What others have used is written when the server stops, and not while this test looks.
	await server.stop();
	server = await startServer({ workers: 1, folder: server.folder });
	const { id, key } = await create("--role", "read");
	expect(await listed(id)).toMatchObject({ last_used_at: null });
	const content = () => hash("sha256", readFileSync(join(server.folder, "data", "data.mdb")));
	const before = content();
	const agent = new Agent({ keepAlive: true, maxSockets: 4 });
	const get = () =>
		new Promise<number>((resolve, reject) => {
			const headers = { authorization: `Bearer ${key}` };
			const options = { port: server.managementPort, path: "/edges/https", headers, agent };
			const sent = request(options, (answer) => {
				answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
			});
			sent.on("error", reject).end();
		});
	const began = Date.now();
	const statuses = await Promise.all(Array.from({ length: 1000 }, get));
	agent.destroy();
	expect(new Set(statuses)).toEqual(new Set([200]));
	expect(content()).toBe(before);

	const { last_used_at: used } = await listed(id);
	expect(used).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
	expect(Date.parse(used)).toBeGreaterThan(began - 60_000);
	await server.stop();
	expect(content()).not.toBe(before);
	expect((await listed(id)).last_used_at).toBe(used);
	server = await startServer({ workers: 1, folder: server.folder });
	expect((await listed(id)).last_used_at).toBe(used);
});

it("a name that several keys have revokes none of them", async () => {
	const twins = [await create("--name", "twin"), await create("--description", "twin")];
	const refused = await keys("revoke", "twin");
	expect([refused.status, refused.stderr]).toEqual([
		1,
		`weir: 2 keys have the name "twin": give the id of one, ${twins[0]?.id}, ${twins[1]?.id}\n`,
	]);
	expect((await keys("revoke", twins[0]?.id ?? "")).status).toBe(0);
	const last = await keys("revoke", "twin");
	expect([last.status, last.stderr]).toEqual([
		0,
		expect.stringContaining("No admin key is left in the store."),
	]);
});

it("a start without an admin key makes one, whatever other keys there are", async () => {
	await create("--role", "read");
	await server.stop();
	server = await startServer({
		...{ workers: 1, folder: server.folder },
		environment: { WEIR_API_KEY: "" },
	});
	const shown = () =>
		/shown this once, only its hash is kept: (weir_\S+)\n/.exec(server.stdout)?.[1];
	const key = await until(shown, "the new key");
	expect(await ask(key, "PUT", "/edges/https/keys")).toBe("201");
	await server.stop();
	server = await startServer({
		...{ workers: 1, folder: server.folder },
		environment: { WEIR_API_KEY: "" },
	});
	expect(server.stdout).not.toContain("weir_");
	expect(await ask(key, "GET", "/edges/https/keys")).toBe("200");
});

it.each([
	[["create", "--role", "boss"], '--role: unknown role "boss"; valid: admin, read, metrics'],
	[["create", "--expires", "yesterday"], '--expires: "yesterday" is no span and no date'],
	[["list", "--role", "read"], "--role is for keys create, not for keys list"],
	[["create", "--name", "a", "--description", "b"], "--description is the former name of --name"],
])("keys %j is told what is wrong", async (words, sentence) => {
	const ran = await keys(...words);
	expect([ran.status, ran.stdout]).toEqual([2, ""]);
	expect(ran.stderr).toContain(sentence);
});
