/** What backends are told of a client is the same whether it is made anew or left at the connection by an earlier request. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Exchange } from "../../../src/edge/exchange.ts";
import { senderLines } from "../../../src/edge/proxying/sender-lines.ts";
import { Authorities } from "../../../src/edge/request/authorities.ts";

const HOSTS = [
	"a.example",
	"A.example",
	"a.example:80",
	"b.example:8080",
	"[::1]:443",
	"127.0.0.1",
];

interface Asked {
	readonly host: string;
	readonly isHttp10: boolean;
	readonly peerTrusted: boolean;
	readonly forwardedFor: readonly string[];
}

const asked: fc.Arbitrary<Asked> = fc.record({
	host: fc.constantFrom(...HOSTS),
	isHttp10: fc.boolean(),
	peerTrusted: fc.boolean(),
	forwardedFor: fc.array(fc.constantFrom("192.0.2.7", "t\u00e9"), { maxLength: 2 }),
});

const connection = () => ({
	asked: { last: undefined as object | undefined, lines: "" },
	isHttp10: false,
});

const linesOf = (
	client: ReturnType<typeof connection>,
	authorities: Authorities,
	peer: string,
	{ host, isHttp10, peerTrusted, forwardedFor }: Asked,
): string => {
	client.isHttp10 = isHttp10;
	const lines = (name: string) => (name === "x-forwarded-for" ? forwardedFor : []);
	const head = { host, authority: authorities.of(host), ascii: false, lines: { lines } };
	const listenerContext = { scheme: "https" };
	return senderLines({ peer, peerTrusted, client, head, listenerContext } as unknown as Exchange);
};

it("for any requests of a connection one after the other", () => {
	fc.assert(
		fc.property(fc.array(asked, { minLength: 1, maxLength: 30 }), (requests) => {
			const [client, authorities] = [connection(), new Authorities()];
			for (const each of requests) {
				expect(linesOf(client, authorities, "192.0.2.1", each)).toBe(
					linesOf(connection(), new Authorities(), "192.0.2.1", each),
				);
			}
		}),
	);
});

it("is left at a connection that asks again, and at no other", () => {
	const [client, authorities] = [connection(), new Authorities()];
	const request = { host: "a.example", isHttp10: false, peerTrusted: false, forwardedFor: [] };
	const first = linesOf(client, authorities, "192.0.2.1", request);
	expect(client.asked.lines).toBe("");
	expect(linesOf(client, authorities, "192.0.2.1", request)).toBe(first);
	expect(client.asked.lines).toBe(first);
	expect(first).toContain("x-forwarded-for: 192.0.2.1\r\nx-forwarded-proto: https\r\n");
	expect(linesOf(client, authorities, "192.0.2.1", { ...request, host: "b.example" })).toContain(
		"x-forwarded-host: b.example\r\n",
	);
	expect(client.asked.lines).toBe("");
});
