/** Proves that errors are told in words, and whose fault they are. */
import { expect, test } from "vitest";
import { describeError, isUnsendable } from "../../../src/upstream/undici/errors.ts";

const coded = (code: string, message = ""): Error => Object.assign(new Error(message), { code });

test("every error has words", () => {
	expect(describeError(coded("ECONNRESET"))).toBe("ECONNRESET");
	expect(describeError(coded("ECONNRESET", "read ECONNRESET"))).toBe("read ECONNRESET");
	const both = new AggregateError([new Error("::1 refused"), new Error("127.0.0.1 refused")]);
	expect(describeError(both)).toBe("::1 refused, 127.0.0.1 refused");
});

test("the request's faults are told from the backend's", () => {
	expect(isUnsendable(coded("UND_ERR_INVALID_ARG"))).toBe(true);
	expect(isUnsendable(coded("UND_ERR_REQ_CONTENT_LENGTH_MISMATCH"))).toBe(true);
	for (const code of ["UND_ERR_SOCKET", "ECONNREFUSED", "HPE_INVALID_CONSTANT"]) {
		expect(isUnsendable(coded(code))).toBe(false);
	}
	expect(isUnsendable(new Error("plain"))).toBe(false);
});
