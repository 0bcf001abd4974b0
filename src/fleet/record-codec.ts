/** A record as it travels, and back. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { LIMITS } from "../limits/limits.ts";
import type { EncodedRecord, FleetRecord, Operation } from "./record.ts";

export function encodeRecord(record: FleetRecord): EncodedRecord {
	const { at, key, operations } = record;
	const json = Buffer.from(JSON.stringify({ at, key, ops: operations }));
	const isDeflated = json.length > LIMITS.fleetDeflateBytes;
	const headers = {
		"weir-format": "1",
		"weir-id": record.id,
		"weir-base": String(record.base),
		"weir-before": record.before,
		"weir-after": record.after,
		"weir-level": String(record.level),
		"weir-by": record.by,
		"weir-encoding": isDeflated ? "deflate-raw" : "identity",
		...(record.isAwaited ? { "weir-ack": "now" } : {}),
	};
	return { headers, body: isDeflated ? deflateRawSync(json) : json };
}

export function decodeRecord({ headers, body }: EncodedRecord): FleetRecord | undefined {
	if (headers["weir-format"] !== "1") return undefined;
	const json =
		headers["weir-encoding"] === "identity"
			? body
			: inflateRawSync(body, { maxOutputLength: LIMITS.fleetRecordInflatedBytes });
	const { at, key, ops } = JSON.parse(Buffer.from(json).toString("utf8")) as {
		at: string;
		key?: string;
		ops: Operation[];
	};
	return {
		id: headers["weir-id"] ?? "",
		base: Number(headers["weir-base"]),
		before: headers["weir-before"] ?? "",
		after: headers["weir-after"] ?? "",
		level: Number(headers["weir-level"]),
		by: headers["weir-by"] ?? "",
		isAwaited: headers["weir-ack"] === "now",
		at,
		key,
		operations: ops,
	};
}
