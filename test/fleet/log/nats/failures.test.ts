/** Each failure becomes a sentence that names the server, the cause and the remedy. */
import { errors } from "@nats-io/transport-node";
import { describe, expect, it } from "vitest";
import {
	apiProblem,
	connectionProblem,
	deniedSubscription,
	handshakeProblem,
	isNobodyThere,
	requestProblem,
} from "../../../../src/fleet/log/nats/failures.ts";

const withCode = (code: string, message = code) => Object.assign(new Error(message), { code });
const PLACE = "nats-1:4222";

describe("a connection", () => {
	const cases: readonly (readonly [Error, string])[] = [
		[withCode("ECONNREFUSED"), "refuses the connection"],
		[new Error("connection refused", { cause: withCode("ECONNREFUSED") }), "(ECONNREFUSED)"],
		[withCode("ENOTFOUND", "getaddrinfo ENOTFOUND nats-1"), "has no address"],
		[withCode("EHOSTUNREACH"), "does not answer"],
		[new Error("timeout"), "does not answer"],
		[new Error("server does not support 'tls'"), "offers no TLS"],
		[withCode("CERT_HAS_EXPIRED"), "expired: renew it"],
		[withCode("ERR_TLS_CERT_ALTNAME_INVALID"), "a certificate for other names"],
		[withCode("DEPTH_ZERO_SELF_SIGNED_CERT"), "fleet.tls.ca"],
		[withCode("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "fleet.tls.ca"],
		[
			withCode("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "tlsv13 alert certificate required"),
			"fleet.tls.cert",
		],
		[new Error("Authorization Violation"), "fleet.credentials"],
		[new Error("User Authentication Expired"), "fleet.credentials"],
		[new Error("maximum connections exceeded"), "max_connections"],
		[withCode("ECONNRESET"), "has ended the connection"],
		[new Error("something new"), "can't be used: something new."],
	];
	for (const [error, part] of cases)
		it(`${error.message}: ${part}`, () => {
			const said = connectionProblem(PLACE, error);
			expect(said.startsWith(`${PLACE} `)).toBe(true);
			expect(said).toContain(part);
			expect(said.endsWith(".")).toBe(true);
		});
});

it("a hang-up while TLS begins is most likely about the certificate", () => {
	expect(handshakeProblem(PLACE, withCode("ECONNRESET"))).toContain("fleet.tls.cert");
	expect(handshakeProblem(PLACE, withCode("ECONNREFUSED"))).toBeUndefined();
});

describe("a request", () => {
	it("without an answer is unreachable, and keeps its cause", () => {
		const error = new errors.NoRespondersError("weir.prod.log");
		const problem = requestProblem(PLACE, "appending to the log", error);
		expect(problem).toMatchObject({ kind: "unreachable", cause: error });
		expect(isNobodyThere(problem.cause)).toBe(true);
		expect(isNobodyThere(new errors.TimeoutError())).toBe(false);
	});

	it("without the right names it", () => {
		const violation = errors.PermissionViolationError.parse(
			'Permissions Violation for Publish to "weir.prod.log"',
		);
		const problem = requestProblem(
			PLACE,
			"appending to the log",
			new errors.RequestError("refused", { cause: violation }),
		);
		expect(problem.kind).toBe("not_permitted");
		expect(problem.message).toContain("no right to publish weir.prod.log");
	});

	it("refused by JetStream has the kind that fits", () => {
		const kind = (code: number, err_code: number) =>
			apiProblem(PLACE, "prod", "WEIR_PROD_LOG", { code, err_code, description: "x" }).kind;
		expect(kind(404, 10059)).toBe("missing");
		expect(kind(503, 10039)).toBe("unfit");
		expect(kind(503, 10076)).toBe("unfit");
		expect(kind(503, 10008)).toBe("unreachable");
		expect(kind(503, 10023)).toBe("unfit");
		expect(kind(400, 10005)).toBe("unfit");
		expect(apiProblem(PLACE, "prod", "S", { code: 408 }).message).toContain("408");
	});
});

it("a subscription that is not allowed is told, and nothing else", () => {
	const parse = (text: string) => errors.PermissionViolationError.parse(text) ?? new Error(text);
	expect(
		deniedSubscription(parse('Permissions Violation for Subscription to "weir.prod.live"')),
	).toContain("weir.prod.live");
	expect(deniedSubscription(parse('Permissions Violation for Publish to "a"'))).toBeUndefined();
	expect(deniedSubscription(new Error("x"))).toBeUndefined();
});
