/**
 * What `testOf` tells of an expression is what the expression comes to: by tables of trees, and by random requests, on which
 * the trees, decided in the plainest way, agree with the evaluated expressions wherever they tell anything.
 */
import { describe, expect, it } from "vitest";
import { predicateProgram, predicateTest } from "../../../src/cel/compile.ts";
import type { Test } from "../../../src/cel/guard/test-tree.ts";
import { hasUnknown } from "../../../src/cel/guard/tests.ts";
import { openPredicate } from "../../../src/cel/program.ts";
import { AddressSet } from "../../../src/http/address-set.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { randomExpression, randomOf } from "../../e2e/standing-generator.ts";
import { ATTRIBUTES, headerLines } from "../attributes.ts";

const of = (source: string): Test | undefined => predicateTest(source, "inbound");

interface Facts {
	readonly method: string;
	readonly host: string;
	readonly path: string;
	readonly query: string;
	readonly clientIp: string;
	readonly headers: readonly (readonly [string, string])[];
}

/** @returns undefined where it can't be told */
function decided(test: Test, facts: Facts): boolean | undefined {
	switch (test.kind) {
		case "constant":
			return test.value;
		case "unknown":
			return undefined;
		case "not": {
			const inner = decided(test.of, facts);
			return inner === undefined ? undefined : !inner;
		}
		case "all":
		case "any": {
			for (const each of test.of) {
				const one = decided(each, facts);
				if (one === undefined || one === (test.kind === "any")) return one;
			}
			return test.kind === "all";
		}
		case "address":
			return AddressSet.of(test.ranges).has(facts.clientIp);
		case "text":
			break;
	}
	const { subject, comparison, texts } = test;
	let text: string;
	if (subject.kind === "field") {
		const lines = facts.headers.filter(([name]) => name === subject.name);
		if (lines.length > 1) return undefined;
		const [line] = lines;
		if (line === undefined && subject.absent === "unknown") return undefined;
		if (line === undefined && subject.absent !== "empty") return subject.absent === "true";
		if (comparison === "present") return true;
		text = line?.[1] ?? "";
	} else text = facts[subject.kind];
	if (subject.folds) text = text.toLowerCase();
	return texts.some((wanted) => {
		if (comparison === "equals") return text === wanted;
		if (comparison === "starts") return text.startsWith(wanted);
		return comparison === "ends" ? text.endsWith(wanted) : text.includes(wanted);
	});
}

describe("tests of expressions", () => {
	it("are told of texts, addresses and single lines of fields", () => {
		const field = { kind: "field", name: "x-k", absent: "false", folds: false } as const;
		expect(of("'a' in req.headers['X-K']")).toEqual({
			kind: "text",
			subject: field,
			comparison: "equals",
			texts: ["a"],
		});
		expect(of("hasReqHeader('x-k')")).toMatchObject({ comparison: "present", subject: field });
		expect(of("req.headers['x-k'][0] == 'a'")).toMatchObject({ subject: { absent: "unknown" } });
		expect(of("req.user_agent.matches('(?i)Bot|^cURL$')")).toMatchObject({
			kind: "any",
			of: [
				{ comparison: "contains", texts: ["bot"], subject: { folds: true, absent: "empty" } },
				{ comparison: "equals", texts: ["curl"] },
			],
		});
		expect(of("conn.client_ip in ['192.0.2.3', '192.0.2.03', 'x']")).toEqual({
			kind: "address",
			ranges: [{ network: [0xc000, 0x0203], length: 32 }],
		});
	});

	it("are not told of what would have to be evaluated, nor of fields that the front reads otherwise", () => {
		for (const source of [
			"size(req.headers['x-k']) > 1",
			"req.headers['host'].exists(v, v != '')",
			"'x' in req.headers['connection']",
			"conn.client_ip.startsWith('10.')",
			"req.user_agent.matches('a+')",
			"req.user_agent.matches('a\\\\(-b\\\\)-')",
			"req.headers['x-k'].exists(i, v, v == 'a')",
			"req.url.query_params['x'] == ['1']",
			"conn.geo.country_code == 'BR'",
			"rand.double() < 0.5",
		])
			expect(of(source), source).toBeUndefined();
		const part = of("req.method == 'GET' && conn.geo.country_code == 'BR'");
		expect(part !== undefined && hasUnknown(part)).toBe(true);
	});

	it("end where loops within loops would make too many", () => {
		const list = `[${Array.from({ length: 40 }, (_, n) => `'${n}'`)}]`;
		const source = `${list}.exists(a, ${list}.exists(b, req.method == a || req.host == b))`;
		const test = of(source);
		expect(test === undefined || JSON.stringify(test).length < 200_000).toBe(true);
	});

	it("end where loops within loops tell nothing, however often they go round", () => {
		const list = `[${Array.from({ length: 50 }, (_, n) => `'${n}'`)}]`;
		const nested = ["a", "b", "c", "d", "e"].reduceRight(
			(inner, name) => `${list}.exists(${name}, ${inner})`,
			"req.content_length == 7",
		);
		// by the clock it would be a matter of minutes
		expect(of(nested)).toBeUndefined();
	});

	it("are not told of patterns that a loop gives, nor of long texts to be looked for", () => {
		expect(of("['bot'].exists(p, req.user_agent.contains(p))")).toBeDefined();
		expect(of("['bot'].exists(p, req.user_agent.matches(p))")).toBeUndefined();
		const long = (count: number) => `req.user_agent.contains('${"a".repeat(count)}')`;
		expect(of(long(LIMITS.literalPatternCharacters))).toBeDefined();
		expect(of(long(LIMITS.literalPatternCharacters + 1))).toBeUndefined();
	});

	it("agree with what evaluating comes to, wherever they tell anything", () => {
		const random = randomOf(5);
		let told = 0;
		for (let round = 0; round < 3000; round++) {
			const source = randomExpression(random);
			const test = of(source);
			const program = predicateProgram(source, "inbound");
			if (test === undefined || !program.ok) continue;
			const predicate = openPredicate(program.value);
			for (let request = 0; request < 5; request++) {
				const facts: Facts = {
					method: random(["GET", "POST", "PUT"]),
					host: random(["h.test", "i.test"]),
					path: random(["/a", "/a/b", "/", "/b"]),
					query: random(["", "x=1", "x=1&y"]),
					clientIp: random(["192.0.2.3", "198.51.100.7", "2001:db8::1", "127.0.0.1"]),
					headers: random<readonly (readonly [string, string])[]>([
						[],
						[["x-k", "a"]],
						[["x-k", ""]],
						[["x-k", "bc"]],
						[
							["x-k", "a"],
							["x-k", "b"],
						],
						[["user-agent", "GoogleBot/1.0"]],
						[
							["user-agent", "curl/8"],
							["accept", "a"],
						],
					]),
				};
				const one = decided(test, facts);
				if (one === undefined) continue;
				told++;
				const { method, host, path, query, clientIp, headers } = facts;
				const url = { ...ATTRIBUTES.url, host, path, rawPath: path, query };
				const requestHeaders = headerLines(headers);
				const attributes = { ...ATTRIBUTES, method, host, url, clientIp, requestHeaders };
				expect(predicate.evaluate(attributes), `${source} ${JSON.stringify(facts)}`).toBe(one);
			}
		}
		expect(told).toBeGreaterThan(3000);
	});
});
