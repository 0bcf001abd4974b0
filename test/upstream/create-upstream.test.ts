/** Who carries which backend: plain HTTP goes native, TLS over undici; both are told apart by what they say. */
import { expect, it } from "vitest";
import { upstreamFactory } from "../../src/upstream/create-upstream.ts";
import { NativeUpstream } from "../../src/upstream/native/native-upstream.ts";
import { UpstreamPool } from "../../src/upstream/undici/pool.ts";
import { backend, bench, until } from "./probe.ts";
import { answering } from "./scripted-upstream.ts";

const factory = upstreamFactory(() => {});

it("is the native client where every URL is plain, undici where one is TLS", () => {
	const { upstream: plain } = bench(factory, ["http://127.0.0.1:1", "http://[::1]:1"]);
	expect(plain).toBeInstanceOf(NativeUpstream);
	for (const urls of [["https://127.0.0.1:1"], ["http://127.0.0.1:1", "https://127.0.0.1:1"]]) {
		expect(bench(factory, urls).upstream).toBeInstanceOf(UpstreamPool);
	}
});

it("resolves names in the background, and tells of those that it can't", async () => {
	const { url } = await backend(answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
	const named = bench(factory, [url.replace("127.0.0.1", "localhost")]);
	expect((await named.ask()).statusCode).toBe(200);

	const failed: string[] = [];
	const telling = upstreamFactory((name, message) => failed.push(`${name}: ${message}`));
	const { ask } = bench(telling, ["http://no-such-name.invalid"]);
	const answer = await ask();
	expect(answer.failure).toBe("connect");
	await until(() => failed.length > 0, "the failed lookup is told");
	expect(failed[0]).toMatch(/^no-such-name\.invalid: ./);
});

it("throws for a URL that is none", () => {
	expect(() => bench(factory, ["http://"])).toThrow();
	expect(() => bench(factory, ["http://127.0.0.1:1", "nothing"])).toThrow();
});
