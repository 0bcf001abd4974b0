/** basic-auth (contract 5): who passes, what is told, and no password in any message. */
import { describe, expect, test } from "vitest";
import { credentialText, hashedWith } from "../../../src/http/credentials.ts";
import { compiled, exchangeOf, inbound, problemsOf, warningsOf } from "../support.ts";

const auth = (config: object) => ({ type: "basic-auth", config });
const basic = (text: string) =>
	["authorization", `Basic ${Buffer.from(text).toString("base64")}`] as const;
const ADA = "ada:correct horse";
const HASHED = credentialText(hashedWith("saltsalt", { user: "bob", password: "battery staple" }));

describe("with two credentials", () => {
	const policy = compiled(inbound(auth({ credentials: [ADA, HASHED], realm: 'a "b" \\' })));
	test.each([
		[[basic(ADA)], true],
		[[basic("bob:battery staple")], true],
		[[basic("bob:correct horse")], false],
		[[basic("ada:")], false],
		[[basic(HASHED)], false],
		[[], false],
		[[["authorization", "Bearer x"]] as const, false],
		[[basic(ADA), basic(ADA)], false],
	])("%j passes: %s", (headers, passes) => {
		const outcome = policy.inbound(exchangeOf({ headers }));
		expect(outcome).toEqual(
			passes
				? { kind: "continue" }
				: {
						kind: "refused",
						reason: "credentials",
						headers: [["www-authenticate", 'Basic realm="a \\"b\\" \\\\", charset="UTF-8"']],
					},
		);
	});
});

const tells = {
	type: "log",
	config: {
		metadata: {
			said: "${actions.basic_auth.credentials.presented} ${actions.ngrok.basic_auth.credentials.username} ${actions.basic_auth.credentials.authorized}",
		},
	},
};

test("with enforce: false it tells and reports, and changes nothing", () => {
	const config = { credentials: [ADA], enforce: false, forward: false };
	const policy = compiled({ inbound: [{ actions: [auth(config), tells] }] });
	const told = [[basic(ADA)], [basic("eve:correct horse")], []].map((headers) => {
		const exchange = exchangeOf({ headers });
		expect(policy.inbound(exchange).kind).toBe("continue");
		expect(exchange.requestHeaders.lines("authorization")).toHaveLength(headers.length);
		return [exchange.logs[0], exchange.reported.join()];
	});
	expect(told).toEqual([
		[{ said: "true ada true" }, ""],
		[{ said: "true eve false" }, "0 basic-auth"],
		[{ said: "false  false" }, "0 basic-auth"],
	]);
});

test.each([
	[true, 1],
	[false, 0],
])("forward: %s leaves the backend %i lines", (forward, count) => {
	const policy = compiled(inbound(auth({ credentials: [ADA], forward })));
	const exchange = exchangeOf({ headers: [basic(ADA)] });
	policy.inbound(exchange);
	expect(exchange.requestHeaders.lines("authorization")).toHaveLength(count);
});

test("credentials may be known with the request only, and a failure says nothing of them", () => {
	const policy = compiled(inbound(auth({ credentials: ["ada:${req.headers['x-secret'][0]}"] })));
	const became = (secret: string | undefined, given: string) => {
		const own = secret === undefined ? [] : [["x-secret", secret] as const];
		const exchange = exchangeOf({ headers: [basic(given), ...own] });
		const { kind } = policy.inbound(exchange);
		expect(JSON.stringify(exchange.failures)).not.toMatch(/hunter|index/);
		return kind;
	};
	expect(became("hunter2hunter2", "ada:hunter2hunter2")).toBe("continue");
	expect(became("hunter2hunter2", "ada:hunter3hunter3")).toBe("refused");
	expect(became("hunter", "ada:hunter")).toBe("failed");
	expect(became(undefined, "ada:x")).toBe("failed");
});

test.each<[object, string]>([
	[{}, "config/credentials required"],
	[{ credentials: [] }, "config/credentials too_small"],
	[{ credentials: ["hunter2"] }, "config/credentials/0 invalid_credential: is no"],
	[
		{ credentials: ["ada:hunter2"] },
		"config/credentials/0 invalid_credential: has a password of 7",
	],
	[
		{ credentials: ["ada:{sha256}hunter2"] },
		"config/credentials/0 invalid_credential: is no hashed",
	],
	[
		{ credentials: ["ada:hunter2 ${hunter2}"] },
		"config/credentials/0 unknown_variable: has an expr",
	],
	[{ credentials: ["ada:hunter2 ${"] }, "config/credentials/0 template_syntax"],
	[{ credentials: [ADA], realm: "ü" }, "config/realm"],
	[{ credentials: [ADA], realm: "r".repeat(129) }, "config/realm"],
	[{ credentials: Array.from({ length: 101 }, () => ADA) }, "config/credentials too_big"],
])("%j is refused, and no message has a password", (config, problem) => {
	const found = problemsOf(inbound(auth(config)));
	expect(found).toHaveLength(1);
	expect(found[0]).toContain(`/inbound/0/actions/0/${problem}`);
	expect(found[0]).not.toContain("hunter2");
});

test("no warning repeats a credential either", () => {
	const credentials = ["ada:${'hunter2' in req.headers['x'] ? 'hunter2hunter2' : 'x'}"];
	expect(JSON.stringify(warningsOf(inbound(auth({ credentials }))))).not.toContain("hunter2");
});
