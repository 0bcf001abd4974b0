/** Credentials: both forms, what is refused (without repeating a password), headers, and who is known. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
	Credentials,
	credentialOf,
	credentialText,
	filledCredential,
	hashedWith,
	newSalt,
	presentedIn,
} from "../../src/http/credentials.ts";

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

test("a hashed credential is what anybody can compute, and reads as it was written", () => {
	const made = hashedWith("saltsalt", { user: "ada", password: "grünes Pferd:1" });
	expect(made.hash).toBe(digest("saltsaltgrünes Pferd:1"));
	const text = credentialText(made);
	expect(text).toBe(`ada:{sha256}saltsalt$${made.hash}`);
	expect(credentialOf(text)).toEqual({ ok: true, value: made });
	expect(newSalt()).not.toBe(newSalt());
});

test.each([
	["ada", "there is no colon"],
	[":secret-password", "has no user name"],
	["ada:secret!", "has a password of 7 characters; 8 to 128 are allowed"],
	[`ada:${"secret".repeat(22)}`, "has a password of 132 characters"],
	["ada:secret\npassword", "holds a control character"],
	["ada:{sha256}secret", "is no hashed password"],
	[`ada:{sha256}$${digest("secret")}`, "is no hashed password"],
	[`ada:{sha256}a b$${digest("secret")}`, "is no hashed password"],
	[`ada:{sha256}saltsalt$${digest("secret").slice(1)}`, "is no hashed password"],
	["ada:{SSHA}secretsecret", "hashed in another way"],
	["ada:{sha512}salt$secretsecret", "hashed in another way"],
	["ada:{bcrypt}secretsecret", "hashed in another way"],
	["ada:$2y$05$secretsecretsecret", "hashed in another way"],
	["ada:$apr1$salt$secretsecret", "hashed in another way"],
	["ada:$6$salt$secretsecret", "hashed in another way"],
])("%j is refused", (text, message) => {
	const credential = credentialOf(text);
	if (credential.ok) throw new Error("not refused");
	expect(credential.error).toContain(message);
	expect(credential.error).not.toMatch(/secret/);
});

test.each(["s", "salt", "a-b_c+d/=.", "s".repeat(64)])(
	"a hash with the salt %s, its digits in either case",
	(salt) => {
		const hash = digest(`${salt}a password`);
		for (const text of [`ada:{sha256}${salt}$${hash}`, `ada:{SHA256}${salt}$${hash.toUpperCase()}`])
			expect(credentialOf(text)).toEqual({ ok: true, value: { user: "ada", salt, hash } });
	},
);

test("what an expression has filled in is a password, whatever it looks like", () => {
	for (const password of ["{SSHA}secret", "$6$salt$secret", "{SHA256}secret"])
		expect(filledCredential(`ada:${password}`)).toEqual({
			ok: true,
			value: { user: "ada", password },
		});
	expect(filledCredential("ada:{sha256}secret").ok).toBe(false);
});

test("passwords of 8 and 128 characters, colons and any letters included", () => {
	for (const password of [
		"12345678",
		"p".repeat(128),
		"a:b:c:d:e",
		"пароль-пароль",
		"{shape} of water",
		"$2 for a coffee",
		"{curly} braces",
		"🐴".repeat(8),
	])
		expect(credentialOf(`ada:${password}`)).toEqual({ ok: true, value: { user: "ada", password } });
});

describe("an authorization field", () => {
	const base64 = (text: string): string => Buffer.from(text).toString("base64");
	test.each([
		[`Basic ${base64("ada:pass:word")}`, { user: "ada", password: "pass:word" }],
		[`bAsIc   ${base64("ädа:ü")}  `, { user: "ädа", password: "ü" }],
		[`Basic ${base64(":")}`, { user: "", password: "" }],
		[`Basic ${base64("no colon")}`, undefined],
		["Basic", undefined],
		["Basic !!!", undefined],
		[`Bearer ${base64("ada:x")}`, undefined],
		["", undefined],
	])("%j", (field, presented) => {
		expect(presentedIn(field)).toEqual(presented);
	});
});

test("100 users of one salt, one of them twice: each is known by its own password alone", () => {
	const users = Array.from({ length: 100 }, (_, n) => ({
		user: `u${n}`,
		password: `password ${n}`,
	}));
	const all = [...users, ...users.slice(7, 8)].map((each) => hashedWith("saltsalt", each));
	const known = new Credentials(all);
	expect(users.filter((each) => !known.knows(each))).toEqual([]);
	expect(
		users.filter((each, n) => known.knows({ ...each, password: `password ${(n + 1) % 100}` })),
	).toEqual([]);
	expect(users.filter((each) => known.knows({ ...each, user: `${each.user}\0` }))).toEqual([]);
});

test("knows its own, of any salt, and nobody else", () => {
	const ada = { user: "ada", password: "correct horse" };
	const bob = { user: "bob", password: "battery staple" };
	const known = new Credentials([hashedWith("saltsalt", ada), hashedWith("othersalt", bob)]);
	expect([ada, bob].map((each) => known.knows(each))).toEqual([true, true]);
	for (const other of [
		{ user: "ada", password: bob.password },
		{ user: "bob", password: ada.password },
		{ user: "ad", password: ada.password },
		{ user: "adaa", password: ada.password },
		{ user: "", password: "" },
	])
		expect(known.knows(other)).toBe(false);
	expect(new Credentials([]).knows(ada)).toBe(false);
});
