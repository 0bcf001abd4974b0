/** Which requests ask for another protocol, and which of them are refused: RFC 6455 4.2.1, RFC 9110 7.8. */
import { describe, expect, it } from "vitest";
import { FlatHeaders } from "../../../src/edge/request/header-lines.ts";
import { wishOf } from "../../../src/edge/tunnels/handshake.ts";

const KEY = "dGhlIHNhbXBsZSBub25jZQ==";

interface Changes {
	readonly method?: string;
	readonly isHttp10?: boolean;
	readonly isFront?: boolean;
	readonly bodyLength?: number;
	/** in place of a line, or without it */
	readonly lines?: Readonly<Record<string, string | string[] | undefined>>;
}

const HANDSHAKE = {
	upgrade: "websocket",
	connection: "Upgrade",
	"sec-websocket-key": KEY,
	"sec-websocket-version": "13",
};

function wish({
	method = "GET",
	isHttp10 = false,
	isFront = true,
	bodyLength = 0,
	lines,
}: Changes) {
	const all = Object.entries({ ...HANDSHAKE, ...lines }).flatMap(([name, values]) =>
		(Array.isArray(values) ? values : [values]).flatMap((value) =>
			value === undefined ? [] : [name, value],
		),
	);
	return wishOf({
		method,
		head: { upgrade: all.includes("upgrade"), bodyLength },
		client: { isHttp10, isFront },
		requestHeaders: new FlatHeaders(all),
	});
}

const answer = (changes: Changes): unknown => {
	const found = wish(changes);
	return found !== undefined && "statusCode" in found ? found.statusCode : found;
};

const asked = { protocols: ["websocket"], key: KEY };
const other = (upgrade: string): Changes => ({
	lines: { upgrade, "sec-websocket-key": undefined, "sec-websocket-version": undefined },
});

describe("a WebSocket", () => {
	it.each<[string, Changes, unknown]>([
		["as clients ask", {}, asked],
		["in capitals", { lines: { upgrade: "WebSocket", connection: "UPGRADE" } }, asked],
		["as Firefox asks", { lines: { connection: "keep-alive, Upgrade" } }, asked],
		["in lists over lines", { lines: { connection: ["keep-alive", "upgrade"] } }, asked],
		["beside h2c", { lines: { upgrade: "h2c, websocket" } }, asked],
		["POST", { method: "POST" }, 400],
		["HEAD", { method: "HEAD" }, 400],
		["HTTP/1.0", { isHttp10: true }, 400],
		["without connection", { lines: { connection: undefined } }, 400],
		[
			"without connection and key",
			{ lines: { connection: undefined, "sec-websocket-key": undefined } },
			undefined,
		],
		["another connection", { lines: { connection: "keep-alive" } }, 400],
		["a word that holds upgrade", { lines: { connection: "x-upgrade" } }, 400],
		["a body", { bodyLength: 3 }, 400],
		["a body in chunks", { bodyLength: -1 }, 400],
		["no key", { lines: { "sec-websocket-key": undefined } }, 400],
		["two keys", { lines: { "sec-websocket-key": [KEY, KEY] } }, 400],
		["a short key", { lines: { "sec-websocket-key": "AAAA" } }, 400],
		["no version", { lines: { "sec-websocket-version": undefined } }, 426],
		["version 8", { lines: { "sec-websocket-version": "8" } }, 426],
		["013", { lines: { "sec-websocket-version": "013" } }, 426],
		["two versions", { lines: { "sec-websocket-version": "13, 8" } }, 426],
		["the version twice", { lines: { "sec-websocket-version": ["13", "13"] } }, 426],
		["where there is no front", { isFront: false }, 501],
	])("%s", (_, changes, expected) => {
		expect(answer(changes)).toEqual(expected);
	});

	it("a refusal of its version says which one there is", () => {
		expect(wish({ lines: { "sec-websocket-version": "8" } })).toMatchObject({
			headers: expect.arrayContaining(["upgrade", "websocket", "sec-websocket-version", "13"]),
		});
	});
});

describe("another protocol", () => {
	it.each<[string, Changes, unknown]>([
		["one", other("foo/1"), { protocols: ["foo/1"], key: "" }],
		["several", other("Foo, bar"), { protocols: ["foo", "bar"], key: "" }],
		["with any method", { ...other("foo"), method: "POST" }, { protocols: ["foo"], key: "" }],
		["h2c", other("h2c"), undefined],
		["what is no protocol", other("a b"), undefined],
		["none", { lines: { upgrade: undefined } }, undefined],
		["in HTTP/1.0", { ...other("foo"), isHttp10: true }, undefined],
		["with a body", { ...other("foo"), bodyLength: 3 }, undefined],
		["where there is no front", { ...other("foo"), isFront: false }, undefined],
		["not for this connection", { lines: { upgrade: "foo", connection: undefined } }, undefined],
	])("%s", (_, changes, expected) => {
		expect(answer(changes)).toEqual(expected);
	});
});
