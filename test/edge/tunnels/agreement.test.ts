/** Which answers of a backend are an agreement (RFC 6455 4.1): of all others no client gets to see a 101. */
import { describe, expect, it } from "vitest";
import { agreementOf } from "../../../src/edge/tunnels/agreement.ts";

const wish = { protocols: ["websocket", "foo/1"], key: "dGhlIHNhbXBsZSBub25jZQ==" };
const ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
const good = [
	...["upgrade", "WebSocket", "connection", "Upgrade"],
	...["sec-websocket-accept", ACCEPT, "x-other", "1"],
];
const without = (name: string): string[] => {
	const at = good.indexOf(name);
	return good.filter((_, index) => index !== at && index !== at + 1);
};
const instead = (name: string, value: string): string[] => [...without(name), name, value];

it("an agreement names what it is to", () => {
	expect(agreementOf(wish, good)).toEqual({ protocols: ["websocket"] });
	expect(agreementOf(wish, ["connection", "upgrade", "upgrade", "Foo/1"])).toEqual({
		protocols: ["foo/1"],
	});
	expect(agreementOf(wish, [...good, "content-length", "0"])).toEqual({ protocols: ["websocket"] });
});

describe("no agreement", () => {
	it.each([
		[without("upgrade"), "no upgrade field"],
		[without("connection"), "no connection: upgrade"],
		[instead("connection", "close"), "no connection: upgrade"],
		[instead("upgrade", "h2c"), 'upgrades to "h2c", which was not asked for'],
		[instead("upgrade", "websocket, h2c"), 'upgrades to "h2c"'],
		[without("sec-websocket-accept"), "sec-websocket-accept"],
		[instead("sec-websocket-accept", "AAAA"), "sec-websocket-accept"],
		[instead("sec-websocket-accept", ACCEPT.toLowerCase()), "sec-websocket-accept"],
		[[...good, "sec-websocket-accept", ACCEPT], "sec-websocket-accept"],
		[[...good, "content-length", "5"], "announces a body"],
		[[...good, "transfer-encoding", "chunked"], "announces a body"],
	])("%j", (lines, mistake) => {
		expect(agreementOf(wish, lines)).toEqual({ mistake: expect.stringContaining(mistake) });
	});
});
