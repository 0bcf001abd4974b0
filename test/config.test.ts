/** Sections of the file keep their values under the code's names. */
import { expect, it } from "vitest";
import { camelCased, configSchema } from "../src/config.ts";
import { listenerSchema } from "../src/config-sections.ts";

it("fields have the code's names and their own values", () => {
	const section = { idle_ms: 1, min_upload_bytes_per_second: null, access: true, tls_1_3: "on" };
	expect(camelCased(section)).toEqual({
		idleMs: 1,
		minUploadBytesPerSecond: null,
		access: true,
		tls_1_3: "on",
	});
});

it("a listener that says no more than its address has the schema's defaults", () => {
	const { listen } = configSchema.parse({});
	expect(listen).toEqual([listenerSchema.parse({ address: "127.0.0.1:8080" })]);
});
