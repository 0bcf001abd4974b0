/**
 * Values as text, for templates (contract 5): what CEL's `string()` gives, null as nothing, lists and
 * maps as JSON. Called by `template.ts`.
 */
import {
	type CelMap,
	type CelValue,
	isCelList,
	isCelMap,
	isCelType,
	isCelUint,
} from "@bufbuild/cel";
import { isMessage, toJson } from "@bufbuild/protobuf";
import { isReflectMessage } from "@bufbuild/protobuf/reflect";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { LIMITS } from "../limits.ts";
import { bytesText, doubleText, durationText } from "./functions/conversions.ts";
import { takeSteps } from "./steps.ts";

/** Throws on bytes that are no UTF-8, and on lists and maps nested without measure. */
export function textOf(value: CelValue): string {
	if (typeof value === "string") return value;
	if (value === null) return "";
	if (isCelList(value) || isCelMap(value)) return JSON.stringify(jsonOf(value, 0));
	return scalarText(value);
}

function scalarText(value: CelValue): string {
	if (typeof value === "bigint" || typeof value === "boolean") return String(value);
	if (typeof value === "number") return doubleText(value);
	if (value instanceof Uint8Array) return bytesText(value);
	if (isCelUint(value)) return String(value.value);
	if (isCelType(value)) return value.name;
	const message = isReflectMessage(value) ? value.message : undefined;
	if (isMessage(message, TimestampSchema)) return toJson(TimestampSchema, message);
	if (isMessage(message, DurationSchema)) return durationText(message.seconds, message.nanos);
	throw new Error("a value that has no text");
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Integers that JSON readers would round are written as text. */
function jsonOf(value: CelValue, depth: number): Json {
	takeSteps(1);
	if (depth > LIMITS.jsonDepth) throw new Error("a value nested too deeply for JSON");
	if (isCelList(value)) return [...value].map((element) => jsonOf(element, depth + 1));
	if (isCelMap(value)) return jsonObject(value, depth);
	if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
	if (typeof value === "number") return Number.isFinite(value) ? value : doubleText(value);
	if (typeof value === "bigint") return jsonInteger(value);
	if (isCelUint(value)) return jsonInteger(value.value);
	return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : scalarText(value);
}

const jsonInteger = (value: bigint): Json =>
	Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

function jsonObject(map: CelMap, depth: number): Json {
	const entries: [string, Json][] = [];
	for (const [key, value] of map) entries.push([textOf(key), jsonOf(value, depth + 1)]);
	return Object.fromEntries(entries);
}
