/** Listening on an address. */

import { describe, expect, it } from "vitest";
import { startApi } from "../api.ts";

describe("listen", () => {
	it("refuses an address in use", async () => {
		const api = await startApi();
		await expect(startApi({ port: api.port })).rejects.toThrow(/can't listen on 127.0.0.1/);
	});
});
