/**
 * docs/actions.md as a reader has it: each action's page has its fields, what it answers, what it leaves behind, and an
 * example; the example's document is put on the real server, and each request of its table comes to what the table says.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actionOf, EVERY_TYPE } from "../../src/policy/actions/table.ts";
import { type Answer, type Server, send, sendRaw, type TestUpstream, until } from "./harness.ts";
import { type Routed, startRouted } from "./routed.ts";

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "actions.md"), "utf8");
const sections = new Map(
	page
		.split(/^## /m)
		.slice(1)
		.map((text) => [text.split("\n", 1)[0] ?? "", text] as const),
);
const sectionOf = (type: string): string => sections.get(type) ?? "";

const documentIn = (text: string): unknown =>
	JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? "");
/** request and fate of each row of the last table */
const requestsIn = (text: string): readonly (readonly [string, string])[] =>
	(text.split("| request | what becomes of it |")[1] ?? "").split("\n").flatMap((line) => {
		const [, request, fate] = /^\| (`[A-Z].*?) \| (.*) \|$/.exec(line) ?? [];
		return request === undefined || fate === undefined ? [] : [[request, fate] as const];
	});

let routed: Routed;
let server: Server;
let upstream: TestUpstream;
beforeAll(async () => {
	routed = await startRouted();
	({ server, upstream } = routed);
});
afterAll(() => routed?.close());

it("the page has a part for each action, and a row in its first table", () => {
	for (const type of EVERY_TYPE) {
		expect(sections.has(type), type).toBe(true);
		expect(page).toContain(`| [${type}](#${type}) | `);
	}
});

describe.each(EVERY_TYPE)("%s", (type) => {
	it("tells its fields with defaults and bounds, its effect, and what it leaves", () => {
		const text = sectionOf(type);
		const { config, results } = actionOf(type);
		expect(text).toMatch(/^- \*\*Phases:\*\* .+\.$/m);
		expect(text).toMatch(/^- \*\*Effect:\*\* .+\.$/m);
		for (const field of Object.keys(config.shape))
			expect(text).toMatch(new RegExp(`^\\| \`${field}\` \\| [^|]+ \\| [^|]+ \\| .+ \\|$`, "m"));
		for (const field of Object.keys(results))
			expect(text).toContain(`| \`actions.${type.replaceAll("-", "_")}.${field}\` | `);
	});

	it("comes to what its table says", async () => {
		const text = sectionOf(type);
		const rows = requestsIn(text);
		expect(rows.length).toBeGreaterThan(1);
		await server.policy(documentIn(text));
		for (const [request, fate] of rows) await comesTo(request, fate);
	});
});

const CODE = /`([^`]*)`/g;
const codes = (text: string): readonly string[] =>
	[...text.matchAll(CODE)].map(([, code = ""]) => code);

async function comesTo(request: string, told: string): Promise<void> {
	const what = `${request} → ${told}`;
	const [line = "", ...fields] = codes(request);
	const [method = "", target = ""] = line.split(" ");
	const { host, origin } = new URL(target);
	const headers: Record<string, string> = { host };
	for (const field of fields) {
		const [name = "", value = ""] = field.split(": ");
		headers[name] = value;
	}
	const from = / from ([0-9a-f.:]+)/.exec(request)?.[1];
	if (from !== undefined) headers["x-forwarded-for"] = from;
	upstream.status = Number(/the backend answers (\d+)/.exec(request)?.[1] ?? 200);
	// what actions may take away
	upstream.headers = { "x-powered-by": "a", "access-control-allow-origin": "*" };
	const path = target.slice(origin.length);
	const seen = upstream.seen.length;
	const logged = server.logged().length;
	const [fate = "", ...lines] = told.split("; the ");
	if (fate === "the connection is closed") {
		const bytes = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`;
		expect(await sendRaw(server.port, bytes), what).toEqual({ received: "", closed: true });
		return;
	}
	const answer = await send(server.port, path, { method, headers });
	const [first = "", ...more] = fate.split(/,? /);
	const [code = ""] = codes(fate);
	const last = upstream.seen.length > seen ? upstream.seen.at(-1) : undefined;
	if (first === "passes") {
		expect([answer.status, last?.method], what).toEqual([upstream.status, method]);
		const url = more[0] === "as" ? new URL(code) : new URL(target);
		expect(last?.target, what).toBe(url.href.slice(url.origin.length));
	} else {
		expect(answer.status, what).toBe(Number(first));
		expect(last, what).toBeUndefined();
		if (code.startsWith("retry-after: ")) {
			const seconds = Number(answer.headers["retry-after"]);
			const most = Number(code.slice("retry-after: ".length));
			expect(seconds >= 1 && seconds <= most, what).toBe(true);
		} else if (code !== "") expect([answer.body, answer.headers.location], what).toContain(code);
	}
	const entries = more[0] === "logs" ? codes(fate).map((text) => JSON.parse(text)) : [];
	await until(
		() => (server.logged().length >= logged + entries.length ? true : undefined),
		`the log of ${what}`,
	);
	expect(server.logged().slice(logged), what).toEqual(entries);
	for (const gets of lines) {
		const shown = gets.startsWith("backend") ? last?.headers : answer.headers;
		for (const [, no, text = ""] of gets.matchAll(/(no )?`([^`]*)`/g)) shows(shown, no, text, what);
	}
}

function shows(
	headers: Answer["headers"] | undefined,
	no: string | undefined,
	text: string,
	what: string,
): void {
	expect(headers, what).toBeDefined();
	const [name = "", value = ""] = text.split(": ");
	expect(headers?.[name], `${name}, ${what}`).toBe(no === undefined ? value : undefined);
}
