/** Which API and key a command means. */
import { expect, it } from "vitest";
import { apiTarget, judgedBy } from "../../../src/process/commands/api-target.ts";

const target = (flags: Record<string, string>, environment: Record<string, string> = {}) => {
	const found = apiTarget({ flags, environment, workingDirectory: "/cwd" });
	return found.ok ? found.value.url : found.error;
};

it("goes by the flag, else by the configuration, and wants a key", () => {
	const key = { WEIR_API_KEY: "key-0123456789abcdef" };
	expect(target({ url: "https://weir.example:4040/" }, key)).toBe("https://weir.example:4040");
	expect(target({}, key)).toBe("http://127.0.0.1:4040");
	expect(target({}, { ...key, WEIR_MANAGEMENT: "[::]:5050" })).toBe("http://[::1]:5050");
	expect(target({ key: "k", url: "http://h" })).toBe("http://h");
	expect(target({ url: "http://h" })).toContain("set WEIR_API_KEY, or give --key");
	for (const url of ["h:4040", "http://h/path", "ftp://h"])
		expect(target({ url }, key)).toContain("is no URL of a server");
});

it("judges files by the defaults, or by a configuration that is given", () => {
	const sources = { flags: {}, environment: {}, workingDirectory: "/cwd" };
	expect(judgedBy(sources)).toEqual({ ok: true, value: { rulesPerPhase: 500 } });
	const none = judgedBy({ ...sources, flags: { config: "none.yaml" } });
	expect(none.ok ? "" : none.error.join()).toContain("none.yaml");
});
