/** Certificates of the API that change under it: new connections see the new ones, and no request is lost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { configSchema } from "../../../src/config.ts";
import { writeCertificate } from "../../certificate.ts";
import { type Api, startApi } from "../api.ts";
import { freePort, TlsClient } from "./tls-client.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-listeners-"));
afterAll(() => rmSync(folder, { recursive: true }));

const settings = { minVersion: "TLSv1.2", ciphers: configSchema.parse({}).tls.ciphers } as const;
const files = { cert: join(folder, "api.crt"), key: join(folder, "api.key") };
const tls = { files, settings };

const renew = (name: string) => writeCertificate(folder, "api", name, [name, `*.${name}`]);

const request = ({ key }: Api, line: string, host = "localhost", ...more: readonly string[]) =>
	[`${line} HTTP/1.1`, `host: ${host}`, `authorization: Bearer ${key}`, ...more, "", ""].join(
		"\r\n",
	);

async function get(api: Api, host?: string): Promise<string> {
	const client = await TlsClient.connect(api.port);
	client.write(request(api, "GET /healthz", host));
	const answer = await client.until("}");
	return `${client.certificate} ${answer.slice(9, 12)}`;
}

it("are taken over without losing a PUT that is on its way", async () => {
	await renew("old.test");
	const api = await startApi({ port: await freePort(), tls });
	const kept = await TlsClient.connect(api.port);
	kept.write(request(api, "GET /healthz"));
	expect(await kept.until("}")).not.toMatch(/^connection: close/im);
	const slow = await TlsClient.connect(api.port);
	const body = JSON.stringify({ hostports: ["a.example"] });
	const put = ["content-type: application/json", `content-length: ${body.length}`];
	slow.write(request(api, "PUT /edges/https/e", "localhost", ...put) + body.slice(0, 5));
	expect(await get(api)).toBe("old.test 200");

	await renew("new.test");
	await api.reload({ tls, hosts: [] });
	for (let connection = 0; connection < 5; connection++)
		expect(await get(api)).toBe("new.test 200");
	slow.write(body.slice(5));
	expect(await slow.until("}")).toMatch(/^HTTP\/1\.1 201 [\s\S]*^connection: close\r\n/im);
	expect(slow.certificate).toBe("old.test");
	kept.write(request(api, "GET /edges/https/e"));
	expect(await kept.until("}")).toMatch(/^HTTP\/1\.1 200 [\s\S]*^connection: close\r\n/im);
});

it("bring their names along, and names of the configuration go with it", async () => {
	await renew("old.test");
	const api = await startApi({ port: await freePort(), tls, hosts: ["configured.test"] });
	const names = ["old.test", "api.old.test", "new.test", "configured.test", "other.test"];
	const statuses = async () =>
		Promise.all(names.map(async (name) => (await get(api, name)).split(" ")[1]));
	expect(await statuses()).toEqual(["200", "200", "421", "200", "421"]);
	await renew("new.test");
	await api.reload({ tls, hosts: ["other.test"] });
	expect(await statuses()).toEqual(["421", "421", "200", "421", "200"]);
});

it("that did not change leave the listener alone", async () => {
	await renew("same.test");
	const api = await startApi({ port: await freePort(), tls });
	const kept = await TlsClient.connect(api.port);
	await api.reload({ tls, hosts: [] });
	kept.write(request(api, "GET /healthz"));
	expect(await kept.until("}")).not.toMatch(/^connection: close/im);
});

it("that can't be used change nothing", async () => {
	await renew("good.test");
	const api = await startApi({ port: await freePort(), tls, hosts: ["one.test"] });
	const missing = { settings, files: { ...files, cert: join(folder, "missing.crt") } };
	await expect(api.reload({ tls: missing, hosts: ["two.test"] })).rejects.toThrow("missing.crt");
	const suites = { ...tls, settings: { ...settings, ciphers: "NONSENSE" } };
	await expect(api.reload({ tls: suites, hosts: ["two.test"] })).rejects.toThrow("NONSENSE");
	expect(await get(api, "one.test")).toBe("good.test 200");
	expect(await get(api, "two.test")).toBe("good.test 421");
});

it("a plain API takes names over, and no TLS", async () => {
	await renew("a.test");
	const api = await startApi();
	await api.reload({ tls: undefined, hosts: ["one.test"] });
	const headers = { host: "one.test" };
	expect((await api.send("GET", "/healthz", { headers })).status).toBe(200);
});
