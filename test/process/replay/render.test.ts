/** A report as people read it. */
import { expect, it } from "vitest";
import { paintFor } from "../../../src/process/explain/paint.ts";
import { renderedReplay } from "../../../src/process/replay/render.ts";
import { jsonLine, replayed, source } from "../../replay/lines.ts";

const PLAIN = paintFor({}, {});
const DENY = {
	name: "no admins",
	expressions: ["req.url.path.startsWith('/admin') || req.headers['x-a'].size() > 0"],
	actions: [{ type: "deny", config: { status_code: 403 } }],
};

it("has sums, tables, samples, what the log lacks and what could not be read", async () => {
	const lines = [
		...Array(1200).fill(jsonLine(1)),
		jsonLine(2, { path: "/admin/\u001b[2J" }),
		"{",
		jsonLine(3, { route: "", edge: "" }),
	];
	const report = await replayed(lines, { policy: source({ inbound: [DENY] }) });
	expect(renderedReplay(report, PLAIN)).toMatchInlineSnapshot(`
		"1,201 requests, 2026-11-22T17:00:00.000Z to 2026-11-22T17:00:00.002Z
		The new policy beside what the log says:

		  same                       1,200    99.92 %
		  now blocked                    1     0.08 %
		  now passed                     0     0.00 %
		  changed otherwise              0     0.00 %

		by rule                               blocked      passed   otherwise
		  new: inbound rule 0 "no admins"           1           -           -

		by route       blocked      passed   otherwise
		  e/r                1           -           -

		by client       blocked      passed   otherwise
		  192.0.2.7           1           -           -

		by path              blocked      passed   otherwise
		  /admin/\\x1b[2J           1           -           -

		first of each kind
		  log:1201: now blocked: GET a.example/admin/\\x1b[2J from 192.0.2.7
		      passed 200 → deny 403 (inbound rule 0 "no admins")

		what the log lacks and policies read
		  request header x-a  1,200 lines. It was taken as not sent; name it in log.headers.

		besides
		  lines that can't be read: 1 (the first is log:1202: it is no whole JSON object)
		  lines of requests that came to no policy: no route, or a loop: 1
		"
	`);
});

it("says that nothing differs, and that it was ended early", async () => {
	const policy = source({ inbound: [] });
	const report = await replayed([jsonLine(1)], { policy, against: policy });
	expect(renderedReplay(report, PLAIN)).toContain("Nothing differs.");
	const partial = renderedReplay({ ...report, complete: false }, PLAIN);
	expect(partial).toContain("Ended early");
});
