/** Documents are stored without the secrets that actions have; others are stored as they are. */
import { expect, test } from "vitest";
import { sealedDocument } from "../../../src/policy/document/seal.ts";
import { compiled, documentOf, exchangeOf } from "../support.ts";

const SECRET = "ada:correct horse";
const guarded = documentOf({
	inbound: [
		{
			name: "x",
			actions: [{ type: "log" }, { type: "basic-auth", config: { credentials: [SECRET] } }],
		},
	],
});

test("a document without secrets is the same object", () => {
	const document = documentOf({ inbound: [{ actions: [{ type: "deny" }] }] });
	expect(sealedDocument(document, undefined)).toBe(document);
});

test("a sealed document says no password, admits the same people, and is stable", () => {
	const sealed = sealedDocument(guarded, undefined);
	expect(JSON.stringify(sealed)).not.toContain("correct horse");
	expect(sealedDocument(guarded, sealed)).toEqual(sealed);
	expect(sealedDocument(sealed, sealed)).toEqual(sealed);
	const headers = [["authorization", `Basic ${Buffer.from(SECRET).toString("base64")}`] as const];
	expect(compiled(sealed).inbound(exchangeOf({ headers })).kind).toBe("continue");
	expect(compiled(sealed).inbound(exchangeOf()).kind).toBe("refused");
});
