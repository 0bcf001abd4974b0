/** restrict-ips over stored lists: they are asked as they are at the moment, and count as entries of their side. */
import { describe, expect, test } from "vitest";
import { addressRangeOf } from "../../../../src/http/address-range.ts";
import { AddressSet } from "../../../../src/http/address-set.ts";
import { compiled, exchangeOf, inbound } from "../../support.ts";

const restrict = (config: object) => ({ type: "restrict-ips", config });

describe("stored lists", () => {
	const holding = (...entries: string[]) => ({
		set: AddressSet.of(
			entries.map((text) => {
				const range = addressRangeOf(text);
				if (!range.ok) throw new Error(range.error);
				return range.value;
			}),
		),
	});
	const lists = new Map([
		["office", holding("10.0.0.0/8", "2001:db8::/32")],
		["blocked", holding("10.9.0.0/16", "192.0.2.7")],
		["nobody", holding()],
	]);
	const opened = (config: object) =>
		compiled(inbound(restrict(config)), { addressLists: { find: (name) => lists.get(name) } });

	test.each([
		[{ lists: ["office"] }, "10.1.2.3", "continue"],
		[{ lists: ["office"] }, "192.0.2.1", "refused"],
		[{ lists: ["office", "!blocked"] }, "10.9.1.1", "refused"],
		[{ lists: ["office", "!blocked"] }, "2001:db8::1", "continue"],
		[{ lists: ["!blocked"] }, "198.51.100.1", "continue"],
		[{ lists: ["!blocked"] }, "::ffff:192.0.2.7", "refused"],
		[{ lists: ["nobody"] }, "10.1.2.3", "refused"],
		[{ lists: ["nobody"], allow: ["10.0.0.0/8"] }, "10.1.2.3", "continue"],
		[{ lists: ["office"], deny: ["${conn.client_ip}"] }, "10.1.2.3", "refused"],
		[{ lists: ["!nobody"], allow: ["${conn.client_ip}"] }, "10.1.2.3", "continue"],
	])("%j: %s is %s", (config, clientIp, kind) => {
		expect(opened(config).inbound(exchangeOf({ clientIp })).kind).toBe(kind);
	});

	test("a list that changes is asked as it is, by the policy as it was", () => {
		const list = { set: holding("::1").set };
		const policy = compiled(inbound(restrict({ lists: ["l"] })), {
			addressLists: { find: () => list },
		});
		const kind = () => policy.inbound(exchangeOf({ clientIp: "192.0.2.1" })).kind;
		expect(kind()).toBe("refused");
		list.set = holding("192.0.2.0/24").set;
		expect(kind()).toBe("continue");
	});

	test("what decided is told by the range of the list", () => {
		const said = { said: "${actions.restrict_ips.matched_cidr}" };
		const policy = compiled(
			inbound(restrict({ lists: ["office"], deny: ["10.2.0.0/16", "2001:DB8:2::/48"] }), {
				type: "log",
				config: { metadata: said },
			}),
			{ addressLists: { find: (name) => lists.get(name) } },
		);
		const exchange = exchangeOf({ clientIp: "10.1.2.3" });
		policy.inbound(exchange);
		expect(exchange.logs).toEqual([{ said: "10.0.0.0/8" }]);
	});

	test("a policy whose list is not there can't be run", () => {
		expect(() => opened({ lists: ["gone"] })).toThrow(
			"the policy names the address list gone, and there is none",
		);
	});
});
