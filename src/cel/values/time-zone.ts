/**
 * How far the clocks of a time zone are from UTC at a moment: a fixed offset such as `+01:00`, or a zone of
 * the IANA database as the platform knows it (CEL specification, "Timezones"). Called by
 * `library/times.ts`.
 */
import { charge } from "../budget.ts";
import { EvaluationFailure } from "../expression.ts";

const FIXED_OFFSET = /^([+-]?)(\d\d):(\d\d)$/;
/** What the platform writes for an offset, after the date; seconds are for times before there were zones. */
const WRITTEN_OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;
/** longer than any zone's name */
const NAME_CHARACTERS = 64;
const NAME = /^[A-Za-z][\w+/-]*$/;

/** Zones kept; requests may bring names along. The least recently made goes first. */
const ZONES = 64;
/**
 * Nanoseconds to ask the platform for two offsets; to open a zone takes it 100,000 once, of which not more
 * is charged than the event loop has to give, so that the next evaluation finds it open.
 */
const OFFSETS_NS = 6000;
const OPEN_NS = 50_000;
const HOUR = 3600;
/** Before it no zone has an offset of its own that changes, and years may be before Christ. */
const EARLIEST = -30_000_000_000;

/** Nanoseconds that `offsetSeconds` takes at most. */
export const ZONE_NS: number = OFFSETS_NS + OPEN_NS;

/** A zone, and the last hour that was asked for, if the offset is the same in all of it. */
interface Zone {
	readonly format: Intl.DateTimeFormat;
	/** seconds since the epoch */
	from: number;
	to: number;
	offset: number;
}

/** By names in lower case: a zone may be named in any. */
const zones = new Map<string, Zone>();

/**
 * Seconds to add to UTC. @param name empty: UTC, as cel-go has it @param seconds since the epoch
 * @throws EvaluationFailure for a name that is no time zone, OutOfBudget
 */
export function offsetSeconds(name: string, seconds: number): number {
	// platforms differ in what else they take for a zone
	if (name.length > NAME_CHARACTERS || !NAME.test(name)) return fixedOffset(name);
	const key = name.toLowerCase();
	const zone = zones.get(key);
	if (zone !== undefined && seconds >= zone.from && seconds < zone.to) return zone.offset;
	return lookUp(zone ?? open(key, name), Math.max(seconds, EARLIEST));
}

function fixedOffset(name: string): number {
	if (name === "") return 0;
	const fixed = name.length > NAME_CHARACTERS ? null : FIXED_OFFSET.exec(name);
	if (fixed === null) throw noSuchZone(name);
	return secondsOf(fixed);
}

const secondsOf = ([, sign, hours = "0", minutes = "0", seconds = "0"]: readonly (
	| string
	| undefined
)[]): number =>
	(sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));

/** Nothing changes twice within an hour. */
function lookUp(zone: Zone, seconds: number): number {
	charge(OFFSETS_NS);
	const from = Math.floor(seconds / HOUR) * HOUR;
	const offset = written(zone.format, from);
	if (written(zone.format, from + HOUR) !== offset) return written(zone.format, seconds);
	zone.from = from;
	zone.to = from + HOUR;
	zone.offset = offset;
	return offset;
}

function written(format: Intl.DateTimeFormat, seconds: number): number {
	const match = WRITTEN_OFFSET.exec(format.format(seconds * 1000));
	if (match === null) throw new Error("the platform writes offsets of time zones differently");
	return secondsOf(match);
}

function open(key: string, name: string): Zone {
	charge(OPEN_NS);
	const zone = { format: formatOf(name), from: 0, to: 0, offset: 0 };
	if (zones.size >= ZONES) {
		for (const oldest of zones.keys()) {
			zones.delete(oldest);
			break;
		}
	}
	zones.set(key, zone);
	return zone;
}

function formatOf(name: string): Intl.DateTimeFormat {
	try {
		return new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
	} catch {
		throw noSuchZone(name);
	}
}

const noSuchZone = (name: string): EvaluationFailure =>
	new EvaluationFailure(
		`no such time zone: ${JSON.stringify(name.slice(0, 100))}; it is written like Europe/Paris or +01:00`,
	);

// the first one takes the platform 20 ms, which no request is to wait for
formatOf("utc").format(0);
