import { expect, it } from "vitest";
import { FlatHeaders } from "../../../src/edge/request/header-lines.ts";
import { SeenResponse } from "../../../src/edge/response/seen-response.ts";

it("reads the lines of an upstream's head when it is first asked for them, and not again", () => {
	let read = 0;
	const head = {
		passed: "",
		ascii: true,
		lines: () => {
			read++;
			return ["x", "1", "x", "2"];
		},
	};
	const seen = new SeenResponse(7, new FlatHeaders(["x", "none"]), head);
	expect([seen.contentLength, read]).toEqual([7, 0]);
	expect(seen.headers.lines("x")).toEqual(["1", "2"]);
	expect(seen.headers.names()).toEqual(["x"]);
	expect(read).toBe(1);
});

it("has the lines that it was made with where there is no head", () => {
	const headers = new FlatHeaders(["x", "1"]);
	expect(new SeenResponse(-1, headers).headers).toBe(headers);
});
