/** What `weir fleet` prints of a fleet: tables for people, JSON for programs. Pure. Used by `fleet-asked.ts`. */
import type { FleetStatus, ShownLog } from "../control/fleet-protocol.ts";

/** Columns as wide as their widest cell. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
	const all = [header, ...rows];
	const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
	return all
		.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
		.map((line) => `${line.trimEnd()}\n`)
		.join("");
}

/** Others' words may hold what would move a terminal's cursor. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

function ago(ms: number): string {
	const [unit, name] =
		([DAY_MS, HOUR_MS, MINUTE_MS] as const)
			.map((each) => [each, NAMES[each]] as const)
			.find(([each]) => ms >= 2 * each) ?? ([SECOND_MS, "s"] as const);
	return `${Math.floor(ms / unit)} ${name} ago`;
}

const NAMES = { [DAY_MS]: "d", [HOUR_MS]: "h", [MINUTE_MS]: "min" } as Readonly<
	Record<number, string>
>;

export function statusScreen({ own, refusal, members, level }: FleetStatus): string {
	const { position, connection, member } = own;
	const since = connection.since.replace(/\.\d+Z$/, "Z");
	const lines = [
		position === undefined
			? "This machine has no state of its fleet yet."
			: `Fleet ${position.fleet}, revision ${position.applied}, level ${position.level}, digest ${position.digest}`,
		connection.isUp
			? `Engine ${connection.server}, nats-server ${connection.version}, connected since ${since}`
			: `No engine since ${since}: ${printable(connection.why)}`,
		`This machine: ${member.name} (${member.id}), ${member.role}, ${own.state}${own.why === undefined ? "" : `: ${printable(own.why)}`}`,
		...(refusal === undefined ? [] : [`Requests are answered with 503: ${refusal}`]),
		...lostLines(own.lost),
	];
	const head = `${lines.join("\n")}\n`;
	if (members === undefined) return `${head}\nThe other machines can't be asked about now.\n`;
	const last = Math.max(own.tail, ...members.map(({ status }) => status.revision));
	const rows = members
		.toSorted((one, other) => (one.status.name < other.status.name ? -1 : 1))
		.map(({ status, ageMs }) => [
			printable(status.name) + (status.id === member.id ? " *" : ""),
			status.state + (status.lost ? `, ${status.lost} lost` : ""),
			`${status.revision}`,
			`${Math.max(0, last - status.revision)}`,
			status.role,
			printable(status.version),
			`${status.level}`,
			ago(ageMs),
			status.id,
			printable(
				Object.entries(status.labels)
					.map(([name, value]) => `${name}=${value}`)
					.join(" "),
			),
		]);
	const columns = [
		...["NAME", "STATE", "REVISION", "BEHIND", "ROLE", "WEIR"],
		...["LEVEL", "SEEN", "ID", "LABELS"],
	];
	const older = members.filter(({ status }) => status.level < level).length;
	const note =
		older === 0 ? "" : `${older} understand less than level ${level}, which this one does.\n`;
	return `${head}\n${table(columns, rows)}${note}`;
}

/** What is still missing of what it has reported. */
const lostLines = ({
	records,
	unverified,
	files,
}: FleetStatus["own"]["lost"]): readonly string[] =>
	records + unverified === 0
		? []
		: [
				`Lost: ${records} ${records === 1 ? "change" : "changes"} that this machine had and the fleet has no more${unverified === 0 ? "" : `, and ${unverified} too old to tell`}, in ${files.join(", ")}: send again what is still wanted, then delete the file`,
			];

/** Which levels there are, and who stands in the way of the next. */
export function levelScreen({ own, members, level }: FleetStatus): string {
	const now = own.position?.level ?? 0;
	const lines = [`The fleet's level is ${now}; this machine's weir understands up to ${level}.`];
	if (members === undefined) lines.push("The other machines can't be asked about now.");
	const behind = (members ?? []).filter(({ status }) => status.level < level);
	if (members !== undefined && now < level)
		lines.push(
			behind.length === 0
				? "Every machine understands it: the first write that needs it raises the fleet's level."
				: `A write that needs more than what these understand is refused: ${behind
						.map(
							({ status }) =>
								`${printable(status.name)} (weir ${printable(status.version)}, level ${status.level})`,
						)
						.join(", ")}. Upgrade them, or forget those that are gone: weir fleet forget ID.`,
		);
	return `${lines.join("\n")}\n`;
}

const OPERATIONS_SHOWN = 3;

export function logScreen(entries: ShownLog): string {
	if (entries.length === 0) return "The log holds no record.\n";
	const rows = entries.map(({ revision, at, member, key, operations, isVoid }) => {
		const shown = operations
			.slice(0, OPERATIONS_SHOWN)
			.map(([kind, name]) => `${kind} ${printable(name)}`);
		const more = operations.length - shown.length;
		const what = isVoid
			? "void: it came too late, and changed nothing"
			: shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
		return [
			`${revision}`,
			printable(at).replace(/\.\d+Z$/, "Z"),
			printable(member),
			printable(key ?? "-"),
			what === "" ? "nothing was changed" : what,
		];
	});
	return table(["REVISION", "TIME", "MEMBER", "KEY", "OPERATIONS"], rows);
}

export const jsonScreen = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** As `GET /fleet` of the management API has it. */
export const statusJson = ({ own, refusal, members, level }: FleetStatus): object => ({
	fleet: own.position?.fleet ?? null,
	revision: own.position?.applied ?? null,
	digest: own.position?.digest ?? null,
	level: own.position?.level ?? null,
	incarnation: own.position?.incarnation ?? null,
	engine: own.connection.isUp
		? {
				connected: true,
				server: own.connection.server,
				version: own.connection.version,
				since: own.connection.since,
			}
		: { connected: false, reason: own.connection.why, since: own.connection.since },
	self: {
		id: own.member.id,
		name: own.member.name,
		role: own.member.role,
		state: own.state,
		since: own.since,
		reason: own.why ?? null,
		refuses: refusal ?? null,
		understands_level: level,
		lost: own.lost,
	},
	members:
		members?.map(({ status, ageMs }) => ({
			id: status.id,
			name: status.name,
			version: status.version,
			level: status.level,
			role: status.role,
			state: status.state,
			revision: status.revision,
			digest: status.digest,
			last_seen_ms: Math.round(ageMs),
			labels: status.labels,
			lost: status.lost ?? 0,
		})) ?? null,
});

export const logJson = (entries: ShownLog): readonly object[] =>
	entries.map(({ revision, at, key, member, operations, isVoid }) => ({
		...{ revision, at, key: key ?? null, member, operations, void: isVoid },
	}));
