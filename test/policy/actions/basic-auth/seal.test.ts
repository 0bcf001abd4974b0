/** Passwords become salted hashes when a document is stored, and the same password is no change. */
import { expect, test } from "vitest";
import { sealedCredentials } from "../../../../src/policy/actions/basic-auth/seal.ts";

const seal = (credentials: readonly string[], ...stored: readonly (readonly string[])[]) =>
	sealedCredentials(
		{ credentials, realm: "r" },
		stored.map((each) => ({ credentials: each })),
	);
const credentialsOf = (config: object): readonly string[] => Reflect.get(config, "credentials");

test("a password is not in the result, the rest is", () => {
	const sealed = seal(["ada:correct horse", "bob:battery staple", "eve:${req.host}-secret"]);
	expect(JSON.stringify(sealed)).not.toMatch(/correct horse|battery/);
	expect(sealed.realm).toBe("r");
	const [ada = "", bob = "", eve] = credentialsOf(sealed);
	expect(ada).toMatch(/^ada:\{sha256\}[0-9a-f]{32}\$[0-9a-f]{64}$/);
	expect(eve).toBe("eve:${req.host}-secret");
	// one hash a request is enough for all
	const saltOf = (text: string) => text.slice(text.indexOf("}"), text.indexOf("$"));
	expect(saltOf(ada)).toBe(saltOf(bob));
});

test("either form put again is the same, another password is not", () => {
	const stored = credentialsOf(seal(["ada:correct horse", "bob:battery staple"]));
	expect(credentialsOf(seal(["ada:correct horse", "bob:battery staple"], stored))).toEqual(stored);
	expect(credentialsOf(seal(stored, stored))).toEqual(stored);
	expect(credentialsOf(seal(stored))).toEqual(stored);
	const changed = credentialsOf(seal(["ada:another horse", "bob:battery staple"], stored));
	expect([changed[0] === stored[0], changed[1] === stored[1]]).toEqual([false, true]);
	// another user's password is no reason to share a hash
	expect(credentialsOf(seal(["bob:correct horse"], stored))[0]).not.toContain(stored[0]?.slice(4));
});

test("who is added later shares the salt, and who has another user's password does not", () => {
	const saltOf = (text = "") => text.slice(text.indexOf("}"), text.indexOf("$"));
	const stored = credentialsOf(seal(["ada:correct horse", "bob:battery staple"]));
	const [, , eve, dan] = credentialsOf(
		seal(
			["ada:correct horse", "bob:battery staple", "eve:lucky stapler", "dan:lucky stapler"],
			stored,
		),
	);
	expect(saltOf(eve)).toBe(saltOf(stored[0]));
	expect(saltOf(dan)).not.toBe(saltOf(stored[0]));
});

test("escaped dollars are letters of the password, and stay escaped in names", () => {
	const sealed = credentialsOf(seal(["a$${b:c$${d}-password"]));
	expect(sealed[0]).toMatch(/^a\$\$\{b:\{sha256\}/);
	expect(credentialsOf(seal(["a$${b:c$${d}-password"], sealed))).toEqual(sealed);
	expect(JSON.stringify(sealed)).not.toContain("password");
});

test("what is no list of texts is left as it is", () => {
	expect(sealedCredentials({ realm: "r" }, [])).toEqual({ realm: "r" });
});
