/** Config files are told from policies by their fields, and nothing is guessed. */
import { describe, expect, it } from "vitest";
import { configSchema } from "../../../src/config.ts";
import { POLICY_FIELDS } from "../../../src/policy/document/validate.ts";
import { SECTIONS } from "../../../src/process/apply/read-resources.ts";
import { kindOf } from "../../../src/process/check/kind.ts";

describe("what a file is", () => {
	it.each([
		[{ listen: ":80" }, "config"],
		[{ data_dir: "x", typo: 1 }, "config"],
		[{ inbound: [] }, "policy"],
		[{ enabled: false }, "policy"],
		[{ module: {}, edge_id: "a", id: "b" }, "policy"],
		[{ on_http_request: [] }, "policy"],
		[{ worker: 2 }, "config"],
		[{ "trusted-proxies": [] }, "config"],
		[{ inbund: [] }, "policy"],
		[{ Modul: {} }, "policy"],
		[{ edges: {} }, "resources"],
		[{ "ip-lists": {}, policies: {} }, "resources"],
	])("%j is a %s", (value, kind) => {
		expect(kindOf(value)).toEqual({ ok: true, value: kind });
	});

	it.each([
		[null, /^the file is empty, .*--as config, --as policy or --as resources$/],
		[{}, /^no field tells .*--as config, --as policy or --as resources$/],
		[[], /^expected an object, that of a config file, policy or file of resources, got a list$/],
		["x", /got the string "x"$/],
		[{ hostports: ["*"] }, /^neither a config file \(listen, .*\) nor a policy \(enabled, inbound/],
		[{ inbound: [], log: {} }, /^"log" belongs to a config file and "inbound" to a policy; /],
		[{ constructor: 1, hasOwnProperty: 2 }, /^neither/],
	])("%j is nothing that could be told", (value, sentence) => {
		const kind = kindOf(value);
		expect(kind.ok ? kind.value : kind.error).toMatch(sentence);
	});

	it("the kinds have no field in common", () => {
		const settings = Object.keys(configSchema.shape);
		const others = [...POLICY_FIELDS, ...SECTIONS];
		expect(others.filter((name) => settings.includes(name))).toEqual([]);
		expect(SECTIONS.filter((name) => POLICY_FIELDS.includes(name))).toEqual([]);
	});
});
