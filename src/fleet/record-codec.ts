/**
 * A record as it travels: headers and a body (docs/fleet.md, "The log"), and back. What comes from the log is checked
 * whole; what is unsound is undefined, for every member alike. Who appends and who reads (`log/`) does it here.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import { LIMITS } from "../limits/limits.ts";
import { LEVEL } from "./level.ts";
import type { EncodedRecord, FleetRecord, Operation } from "./record.ts";
import { operationOf } from "./record-form.ts";

const FORMAT = 1;

const DEFLATED = "deflate-raw";
const PLAIN = "identity";

export function encodeRecord(record: FleetRecord): EncodedRecord {
	const { at, key, operations } = record;
	const json = Buffer.from(
		JSON.stringify({ at, ...(key === undefined ? {} : { key }), ops: operations }),
	);
	const isDeflated = json.length > LIMITS.fleetDeflateBytes;
	const headers = {
		"weir-format": String(FORMAT),
		"weir-id": record.id,
		"weir-base": String(record.base),
		"weir-before": record.before,
		"weir-after": record.after,
		"weir-level": String(record.level),
		"weir-by": record.by,
		"weir-encoding": isDeflated ? DEFLATED : PLAIN,
		...(record.isAwaited ? { "weir-ack": "now" } : {}),
	};
	return { headers, body: isDeflated ? deflateRawSync(json) : json };
}

const number = z
	.string()
	.regex(/^[0-9]{1,15}$/)
	.transform(Number);
const word = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const digest = z.string().regex(/^[0-9a-f]{32}$/);

const headersSchema = z.object({
	"weir-format": number.pipe(z.literal(FORMAT)),
	"weir-id": word,
	"weir-base": number,
	"weir-before": digest,
	"weir-after": digest,
	"weir-level": number.pipe(z.int().min(1)),
	"weir-by": word,
	"weir-encoding": z.enum([DEFLATED, PLAIN]),
	"weir-ack": z.literal("now").optional(),
});

const bodySchema = z.object({
	at: z.string().regex(/^[0-9]{4}-[0-9TZ:.+-]{1,40}$/),
	key: z
		.string()
		.regex(/^[!-~]{1,128}$/)
		.optional(),
	ops: z.array(z.unknown()),
});

/**
 * @returns undefined: no sound record. Of a record that needs a newer build, of its level or of its format, the
 *   operations are not looked at; its level says so, which is above `LEVEL`
 */
export function decodeRecord({ headers, body }: EncodedRecord): FleetRecord | undefined {
	if (isNewer(headers["weir-format"])) return ofNewerFormat(headers);
	const read = headersSchema.safeParse(headers);
	if (!read.success || body.length > LIMITS.fleetRecordBytes) return undefined;
	const level = read.data["weir-level"];
	const base = {
		id: read.data["weir-id"],
		base: read.data["weir-base"],
		before: read.data["weir-before"],
		after: read.data["weir-after"],
		level,
		by: read.data["weir-by"],
		isAwaited: read.data["weir-ack"] === "now",
	};
	if (level > LEVEL) return { ...base, at: "", operations: [] };
	const content = contentOf(body, read.data["weir-encoding"] === DEFLATED);
	return content === undefined ? undefined : { ...base, ...content };
}

function contentOf(
	body: Uint8Array,
	isDeflated: boolean,
): Pick<FleetRecord, "at" | "key" | "operations"> | undefined {
	const read = bodySchema.safeParse(parsed(body, isDeflated));
	if (!read.success) return undefined;
	const { at, key, ops } = read.data;
	const operations: Operation[] = [];
	for (const each of ops) {
		const operation = operationOf(each);
		if (operation === undefined) return undefined;
		operations.push(operation);
	}
	return { at, ...(key === undefined ? {} : { key }), operations };
}

function parsed(body: Uint8Array, isDeflated: boolean): unknown {
	try {
		const maxOutputLength = LIMITS.fleetRecordInflatedBytes;
		const bytes = isDeflated ? inflateRawSync(body, { maxOutputLength }) : body;
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
	} catch {
		return undefined;
	}
}

const isNewer = (format: string | undefined): boolean =>
	format !== undefined && /^[0-9]{1,15}$/.test(format) && Number(format) > FORMAT;

/** Whoever would take it stops before it, as before a level that is too high. Formats have these headers in common. */
function ofNewerFormat(headers: EncodedRecord["headers"]): FleetRecord {
	const { "weir-id": id = "", "weir-by": by = "", "weir-before": before = "" } = headers;
	const { "weir-after": after = "", "weir-base": base } = headers;
	const unread = { isAwaited: false, at: "", operations: [] };
	const level = Number.MAX_SAFE_INTEGER;
	return { ...unread, id, by, base: Number(base) || 0, before, after, level };
}
