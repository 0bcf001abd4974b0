/** Status lines as text; that they arrive so, `proxying/proxied-request.test.ts` and others prove. */
import { expect, it } from "vitest";
import { beginning, statusLine } from "../../../src/edge/response/status-line.ts";

it("a status line has the standard reason, or the space that stands for none", () => {
	expect([404, 299, 799].map(statusLine)).toEqual(["404 Not Found", "299 ", "799 "]);
});

it("lines follow it", () => {
	expect(beginning(204, "")).toBe("204 No Content");
	expect(beginning(299, "a: b\r\nc: d")).toBe("299 \r\na: b\r\nc: d");
});
