/**
 * What policies are told of TLS clients (contract 4, `conn.tls`): real clients, over a wire that cuts their first
 * message as it likes, and their fingerprints by a second implementation.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server as Wire } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { frameOf } from "../edge/frames.ts";
import { type Server, send, startServer } from "./harness.ts";
import { handshakeOf, ja4 } from "./ja4.ts";

const NAME = "hello.example";
const folder = mkdtempSync(join(tmpdir(), "weir-hello-"));
let server: Server;
/** between clients and the server: changes how the bytes come, and remembers them */
let wire: Wire;
let sent = Buffer.alloc(0);
let to = 0;
let cut: (bytes: Buffer) => Buffer[] = (bytes) => [bytes];

const BODY =
	"${conn.tls.version}|${conn.tls.sni}|${conn.tls.ja4}|${conn.tls.negotiated_alpn}|${conn.tls.cipher_suite}|${string(conn.bytes_in)}";

beforeAll(async () => {
	await writeCertificate(folder, NAME, NAME, [NAME]);
	const tls = { cert: `${folder}/${NAME}.crt`, key: `${folder}/${NAME}.key` };
	const address = "127.0.0.1:0";
	server = await startServer({
		workers: 1,
		config: {
			listen: [{ address }, { address, tls }, { address, tls, proxy_protocol: true }],
		},
	});
	await server.route(1);
	await server.policy({
		inbound: [
			{ actions: [{ type: "custom-response", config: { status_code: 200, content: BODY } }] },
		],
	});
	wire = createServer((client) => {
		sent = Buffer.alloc(0);
		const onward = connect({ port: to, host: "127.0.0.1", noDelay: true });
		let isFirst = true;
		client.on("data", async (bytes: Buffer) => {
			sent = Buffer.concat([sent, bytes]);
			if (!isFirst) {
				onward.write(bytes);
				return;
			}
			isFirst = false;
			client.pause();
			for (const piece of cut(bytes)) {
				onward.write(piece);
				await new Promise(setImmediate);
			}
			client.resume();
		});
		onward.pipe(client);
		for (const socket of [client, onward]) {
			socket.on("error", () => {});
			socket.on("close", () => {
				client.destroy();
				onward.destroy();
			});
		}
	});
	await new Promise<void>((resolve) => wire.listen(0, "127.0.0.1", resolve));
	to = server.ports[1] ?? 0;
});
afterAll(async () => {
	await server?.cleanUp();
	wire?.close();
	rmSync(folder, { recursive: true, force: true });
});

const wirePort = (): number => (wire.address() as AddressInfo).port;
const REQUEST = `GET / HTTP/1.1\r\nhost: ${NAME}\r\n\r\n`;

/** what policies see, and what TLS itself says to the client */
function ask(options: ConnectionOptions): Promise<{ said: string[]; version: string | null }> {
	return new Promise((resolve, reject) => {
		const socket = connectTls({
			host: "127.0.0.1",
			port: wirePort(),
			servername: NAME,
			rejectUnauthorized: false,
			...options,
		});
		let received = "";
		socket.on("error", reject);
		socket.on("data", (bytes: Buffer) => {
			received += bytes.toString("latin1");
			const body = received.split("\r\n\r\n")[1] ?? "";
			if (body.split("|").length < 6) return;
			resolve({ said: body.split("|"), version: socket.getProtocol() });
			socket.destroy();
		});
		socket.write(REQUEST);
	});
}

const MANY_NAMES = Array.from({ length: 400 }, (_, n) => `protocol-${n}`);

describe.each<[string, ConnectionOptions, string]>([
	["TLS 1.3", {}, "1.3"],
	["TLS 1.2 alone", { maxVersion: "TLSv1.2" }, "1.2"],
	["TLS 1.3 alone", { minVersion: "TLSv1.3" }, "1.3"],
	["one suite", { ciphers: "TLS_CHACHA20_POLY1305_SHA256", minVersion: "TLSv1.3" }, "1.3"],
	["protocols", { ALPNProtocols: ["http/1.1", "h2"] }, "1.3"],
	["a message of several thousand bytes", { ALPNProtocols: MANY_NAMES }, "1.3"],
	["another curve, so that it is asked again", { ecdhCurve: "P-521:X25519" }, "1.3"],
])("a client of %s", (_of, options, version) => {
	it.each<[string, (bytes: Buffer) => Buffer[]]>([
		["whole", (bytes) => [bytes]],
		[
			"in pieces",
			(bytes) =>
				Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
					.slice(0, 60)
					.concat(bytes.subarray(60)),
		],
		[
			"over several records",
			(bytes) => {
				const message = handshakeOf(bytes);
				const half = message.length >> 1;
				return [message.subarray(0, half), message.subarray(half)].map((part) => {
					const header = Buffer.from([22, 3, 1, 0, 0]);
					header.writeUInt16BE(part.length, 3);
					return Buffer.concat([header, part]);
				});
			},
		],
	])("is known, %s", async (_how, pieces) => {
		cut = pieces;
		const { said, version: agreed } = await ask(options);
		const message = handshakeOf(sent);
		expect(said).toEqual([
			version,
			NAME,
			ja4(message.subarray(0, 4 + message.readUIntBE(1, 3))),
			"",
			"",
			String(REQUEST.length),
		]);
		expect(agreed).toBe(`TLSv${version}`);
	});
});

it("was asked again, where it offered another curve first", async () => {
	cut = (bytes) => [bytes];
	await ask({ ecdhCurve: "P-521:X25519" });
	// Both messages carry the same 32 bytes of chance (RFC 8446 4.1.2).
	const random = sent.subarray(11, 43);
	expect(sent.indexOf(random, 43)).toBeGreaterThan(43);
});

it("has one spelling of the name, whatever certificate is shown, and none where none was sent", async () => {
	cut = (bytes) => [bytes];
	expect((await ask({ servername: "Other.EXAMPLE" })).said[1]).toBe("other.example");
	const { said } = await ask({ servername: "" });
	expect([said[1], said[2]?.slice(0, 4)]).toEqual(["", "t13i"]);
});

it("is read behind a PROXY protocol header", async () => {
	to = server.ports[2] ?? 0;
	try {
		const frame = Buffer.from(frameOf("203.0.113.9"), "latin1");
		for (const together of [true, false]) {
			cut = (bytes) =>
				together
					? [Buffer.concat([frame, bytes])]
					: [frame, bytes.subarray(0, 9), bytes.subarray(9)];
			const { said } = await ask({});
			const message = handshakeOf(sent);
			expect(said.slice(0, 3)).toEqual(["1.3", NAME, ja4(message)]);
		}
	} finally {
		to = server.ports[1] ?? 0;
		cut = (bytes) => [bytes];
	}
});

it("is openssl's own, and another's where another is behind the same wire", async () => {
	const client = spawn(
		"openssl",
		[
			"s_client",
			"-quiet",
			"-ign_eof",
			"-connect",
			`127.0.0.1:${wirePort()}`,
			"-servername",
			NAME,
			"-alpn",
			"http/1.1",
		],
		{ stdio: ["pipe", "pipe", "ignore"] },
	);
	client.stdin.end(`GET / HTTP/1.1\r\nhost: ${NAME}\r\nconnection: close\r\n\r\n`);
	let out = "";
	for await (const piece of client.stdout) out += piece;
	const said = out.split("\r\n\r\n")[1]?.split("|") ?? [];
	const mine = ja4(handshakeOf(sent));
	expect(said.slice(0, 3)).toEqual(["1.3", NAME, mine]);
	expect(mine).toMatch(/^t13d\d{4}h1_/);
	const node = (await ask({})).said[2];
	expect(node).not.toBe(mine);
});

it("is nothing on a plain listener", async () => {
	expect((await send(server.port, "/")).body.split("|").slice(0, 5)).toEqual(["", "", "", "", ""]);
});

it("what is no ClientHello is answered by TLS itself, and others are served", async () => {
	const junk = [
		REQUEST,
		"\x16\x03\x01\x40\x00",
		`\x16\x03\x01\x00\x05\x01\x00\xff\xff\x00`,
		"\x16\x03\x03\x00\x02hi",
	];
	for (const bytes of junk) {
		const socket = connect(to, "127.0.0.1");
		socket.on("error", () => {});
		socket.end(Buffer.from(bytes, "latin1"));
		socket.resume();
		await new Promise((resolve) => socket.on("close", resolve));
	}
	expect((await ask({})).said[0]).toBe("1.3");
});
