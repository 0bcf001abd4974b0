/** The address lists that a document names, and where. */
import { expect, it } from "vitest";
import { listsNamedIn } from "../../../src/policy/document/address-lists.ts";
import type { PolicyDocument } from "../../../src/policy/document/schema.ts";

it("finds each name with its place, in both phases", () => {
	const document: PolicyDocument = {
		enabled: true,
		inbound: [
			{ name: "", expressions: [], actions: [{ type: "deny", config: {} }] },
			{
				name: "",
				expressions: [],
				actions: [
					{ type: "log", config: { metadata: {} } },
					{ type: "restrict-ips", config: { allow: ["::1"], lists: ["office", "!blocked"] } },
				],
			},
		],
		outbound: [],
	};
	const at = ["inbound", 1, "actions", 1, "config", "lists"];
	expect(listsNamedIn(document)).toEqual([
		{ name: "office", path: [...at, 0] },
		{ name: "blocked", path: [...at, 1] },
	]);
	expect(listsNamedIn({ ...document, inbound: [] })).toEqual([]);
});
