import { expect, it } from "vitest";
import { startEchoUpstream } from "../../../src/process/demo/echo-upstream.ts";

it("answers with what reached it, and with the status that the path names", async () => {
	const upstream = await startEchoUpstream();
	try {
		const echoed = await fetch(`${upstream.url}/a/b?c=1`, {
			method: "POST",
			headers: { "x-mark": "yes" },
			body: "hello",
		});
		expect(echoed.status).toBe(200);
		expect(await echoed.json()).toMatchObject({
			method: "POST",
			target: "/a/b?c=1",
			headers: { "x-mark": "yes", "content-length": "5" },
			body: "hello",
		});
		expect((await fetch(`${upstream.url}/status/503`)).status).toBe(503);
		const large = await fetch(upstream.url, { method: "POST", body: "x".repeat(100_000) });
		expect(await large.json()).toMatchObject({ body: "x".repeat(65_536), body_bytes: 100_000 });
	} finally {
		upstream.close();
	}
});
