/** HTTPS listeners with certificates made here, told apart by SNI, beside a plain one (contract 1). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import {
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

const NAMES = ["one.example", "two.example"] as const;
const certificates: Record<string, string> = {};
const folder = mkdtempSync(join(tmpdir(), "weir-tls-"));
let server: Server;
let upstream: TestUpstream;

async function renew(name: string, valid?: { notBeforeDate: Date; notAfterDate: Date }) {
	certificates[name] = (await writeCertificate(folder, name, name, [name], valid)).pem;
}

beforeAll(async () => {
	for (const name of NAMES) await renew(name);
	upstream = await startUpstream();
	const tls = NAMES.map((name) => ({
		cert: `${folder}/${name}.crt`,
		key: `${folder}/${name}.key`,
	}));
	server = await startServer({
		workers: 2,
		config: { listen: [{ address: "127.0.0.1:0" }, { address: "127.0.0.1:0", tls }] },
	});
	await server.route(upstream.port);
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
	rmSync(folder, { recursive: true, force: true });
});

const securely = (name: string, path = "/x?y=1") =>
	send(server.ports[1] ?? 0, path, {
		headers: { host: name },
		tls: { servername: name, ca: certificates[name] ?? "" },
	});

/** Name in the certificate that the server shows for `servername`. */
function shown(servername: string, more: ConnectionOptions = {}): Promise<string> {
	return new Promise((resolve, reject) => {
		const socket = connect(
			{
				host: "127.0.0.1",
				port: server.ports[1],
				servername,
				rejectUnauthorized: false,
				...more,
			},
			() => {
				resolve(String(socket.getPeerCertificate().subject.CN));
				socket.destroy();
			},
		);
		socket.on("error", reject);
	});
}

it("serves each name under its own certificate, proxied, with the scheme told upstream", async () => {
	for (const name of NAMES) {
		const answer = await securely(name);
		expect([answer.status, answer.body]).toEqual([200, "upstream"]);
		expect(upstream.seen.at(-1)).toMatchObject({
			target: "/x?y=1",
			headers: { "x-forwarded-proto": "https", "x-forwarded-host": name },
		});
	}
	expect((await server.get("/plain")).status).toBe(200);
	expect(upstream.seen.at(-1)?.headers["x-forwarded-proto"]).toBe("http");
});

it("answers an unknown name with the first certificate", async () => {
	expect(await shown("elsewhere.example")).toBe("one.example");
	expect(await shown("two.example")).toBe("two.example");
});

it("puts the scheme and port into the URL that policies see", async () => {
	await server.policy({
		inbound: [
			{
				actions: [{ type: "custom-response", config: { content: "${req.url} ${req.url.scheme}" } }],
			},
		],
	});
	expect((await securely("one.example", "/a")).body).toBe("https://one.example/a https");
	await server.must(server.api("DELETE", "/edges/https/e/routes/r/policy"));
});

it("takes over a renewed certificate on SIGHUP", async () => {
	await renew("one.example");
	const trusted = () => securely("one.example").catch(() => undefined);
	expect(await trusted()).toBeUndefined();
	server.child.kill("SIGHUP");
	await until(() => server.logLines().find(({ msg }) => msg === "config reloaded"), "the reload");
	expect((await until(trusted, "the renewed certificate")).status).toBe(200);
});

it("warns of a certificate that has expired, at the reload and at the start, and goes on", async () => {
	const notAfterDate = new Date("2020-01-01T00:00:00Z");
	await renew("two.example", { notBeforeDate: new Date("2019-01-01T00:00:00Z"), notAfterDate });
	const warning = ({ msg }: Record<string, unknown>) => msg === "a certificate has expired";
	const told = {
		level: "warn",
		file: `${folder}/two.example.crt`,
		names: ["two.example"],
		valid_to: notAfterDate.toISOString(),
	};
	server.child.kill("SIGHUP");
	await until(() => server.logLines().find(warning), "the warning");
	await until(
		() => server.logLines().filter(({ msg }) => msg === "config reloaded")[1],
		"the reload",
	);
	expect(server.logLines().filter(warning)).toMatchObject([told]);
	expect(await shown("two.example")).toBe("two.example");

	const key = `${folder}/two.example.key`;
	const another = await startServer({
		workers: 1,
		config: {
			listen: [{ address: "127.0.0.1:0", tls: { cert: told.file, key } }],
			tls: { min_version: "TLSv1.3" },
		},
	});
	try {
		expect(another.logLines().filter(warning)).toMatchObject([told]);
		const { port } = another;
		expect(await shown("two.example", { port })).toBe("two.example");
		await expect(shown("two.example", { port, maxVersion: "TLSv1.2" })).rejects.toThrow(
			/handshake/,
		);
	} finally {
		await another.cleanUp();
	}
});

it("refuses a reload with suites that the server library can't use, names the field and goes on", async () => {
	const file = join(server.folder, "weir.json");
	const settings = JSON.parse(readFileSync(file, "utf8"));
	const tls = { ciphers: "DHE-RSA-AES128-GCM-SHA256" };
	writeFileSync(file, JSON.stringify({ ...settings, tls }));
	server.child.kill("SIGHUP");
	const line = await until(
		() => server.logLines().find(({ msg }) => msg === "config not reloaded"),
		"the refusal",
	);
	expect(line.reason).toMatch(/^tls\/ciphers: the server library can't use "DHE-RSA/);
	expect(await shown("one.example")).toBe("one.example");
});
