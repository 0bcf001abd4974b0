/** What `weir fleet` shows of a fleet: who is where at a glance, the reason where something is wrong. */
import { expect, it } from "vitest";
import {
	jsonScreen,
	levelScreen,
	logJson,
	logScreen,
	statusJson,
	statusScreen,
} from "../../../src/process/commands/fleet-screens.ts";
import type { FleetStatus } from "../../../src/process/control/fleet-protocol.ts";

const SINCE = "2026-11-22T08:00:00.123Z";
const member = (name: string, revision: number, level = 1) => ({
	...{ id: `m_${name}`, name, version: "1.0.0", level, role: "manager" as const },
	...{ state: "in_sync" as const, revision, digest: "d", since: SINCE },
	labels: { region: "ams" },
});
const whole: FleetStatus = {
	own: {
		member: { id: "m_a", name: "a", role: "manager" },
		position: { fleet: "prod", incarnation: "i", applied: 7, head: 7, digest: "dd", level: 1 },
		state: "in_sync",
		since: SINCE,
		connection: { isUp: true, server: "nats-1:4222", version: "2.15.1", since: SINCE },
		tail: 7,
		lost: { records: 0, unverified: 0, files: [] },
	},
	members: [
		{ status: { ...member("b", 5), name: "b\u001b" }, ageMs: 150_000 },
		{ status: member("a", 7), ageMs: 900 },
	],
	level: 1,
};
const cutOff: FleetStatus = {
	own: {
		...whole.own,
		state: "cut_off",
		why: "nats-1:4222 refuses the connection.",
		connection: { isUp: false, why: "nats-1:4222 refuses the connection.", since: SINCE },
	},
	refusal: "cut off for too long",
	level: 2,
};

it("a fleet: a line about each machine, in the order of names", () => {
	expect(statusScreen(whole)).toBe(
		[
			"Fleet prod, revision 7, level 1, digest dd",
			"Engine nats-1:4222, nats-server 2.15.1, connected since 2026-11-22T08:00:00Z",
			"This machine: a (m_a), manager, in_sync",
			"",
			"NAME  STATE    REVISION  BEHIND  ROLE     WEIR   LEVEL  SEEN       ID   LABELS",
			"a *   in_sync  7         0       manager  1.0.0  1      0 s ago    m_a  region=ams",
			"b?    in_sync  5         2       manager  1.0.0  1      2 min ago  m_b  region=ams",
			"",
		].join("\n"),
	);
});

it("what was lost, where it is kept, and at which other machines", () => {
	const lost = { records: 2, unverified: 1, files: ["data/fleet-lost-2.jsonl"] };
	const screen = statusScreen({
		...whole,
		own: { ...whole.own, lost },
		members: [{ status: { ...member("b", 7), lost: 4 }, ageMs: 900 }],
	});
	expect(screen).toContain(
		"Lost: 2 changes that this machine had and the fleet has no more, and 1 too old to tell, in data/fleet-lost-2.jsonl: send again what is still wanted, then delete the file\n",
	);
	expect(screen).toMatch(/^b +in_sync, 4 lost +7 /m);
	expect(statusJson({ ...whole, own: { ...whole.own, lost } })).toMatchObject({ self: { lost } });
});

it("a machine that is cut off, and one that has no state yet", () => {
	expect(statusScreen(cutOff)).toMatch(
		/^Fleet prod.*\nNo engine since 2026-11-22T08:00:00Z: nats-1:4222 refuses.*\nThis machine: a \(m_a\), manager, cut_off: nats-1.*\nRequests are answered with 503: cut off for too long\n\nThe other machines can't be asked/,
	);
	const { position: _, ...own } = whole.own;
	expect(statusScreen({ own, level: 1 })).toMatch(/^This machine has no state of its fleet yet\./);
});

it("levels, and who stands in the way of the next", () => {
	expect(levelScreen(whole)).toBe(
		"The fleet's level is 1; this machine's weir understands up to 1.\n",
	);
	expect(levelScreen({ ...whole, level: 2 })).toMatch(
		/understand is refused: b\? \(weir 1\.0\.0, level 1\), a .*Upgrade them, or forget/,
	);
	const members = [{ status: member("a", 7, 2), ageMs: 0 }];
	expect(levelScreen({ ...whole, level: 2, members })).toMatch(/Every machine understands it/);
	expect(levelScreen(cutOff)).toMatch(/can't be asked/);
});

it("the log: a line for each record, void ones too", () => {
	const at = SINCE;
	const puts = ["a", "b", "c", "d"].map((name): [string, string] => ["put", `e/${name}`]);
	const entries = [
		{ revision: 3, at, member: "m_a", operations: [], isVoid: true },
		{ revision: 2, at, member: "m_a", key: "key_1", operations: puts, isVoid: false },
		{ revision: 1, at, member: "m_a", operations: [], isVoid: false },
	];
	const lines = logScreen(entries).split("\n");
	expect(lines[1]).toMatch(/^3 .* void: it came too late, and changed nothing$/);
	expect(lines[2]).toMatch(/^2 .* key_1 +put e\/a, put e\/b, put e\/c and 1 more$/);
	expect(lines[3]).toMatch(/^1 .* nothing was changed$/);
	expect(logScreen([])).toBe("The log holds no record.\n");
	expect(logJson(entries)[0]).toMatchObject({ revision: 3, key: null, void: true });
});

it("all of it as JSON", () => {
	expect(JSON.parse(jsonScreen(statusJson(whole)))).toMatchObject({
		...{ fleet: "prod", revision: 7, engine: { connected: true, server: "nats-1:4222" } },
		self: { state: "in_sync", refuses: null },
		members: [{ id: "m_b", last_seen_ms: 150_000 }, { id: "m_a" }],
	});
	expect(statusJson(cutOff)).toMatchObject({ engine: { connected: false }, members: null });
});
