/**
 * Variables that official cases bring along, written into the expression: each as a literal behind
 * `cel.bind`. Used by `conformance.test.ts`.
 */
import type { SimpleTest } from "@bufbuild/cel-spec/cel/expr/conformance/test/simple_pb.js";
import type { Value } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import { createRegistry, isMessage } from "@bufbuild/protobuf";
import { anyUnpack, DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";

/** No variable can be called so; cases bind them to show that nobody asks. */
const CONSTANTS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** Undefined if a variable has no literal, as protobuf messages have none, or a name of several parts. */
export function withBindings({ expr, bindings, typeEnv }: SimpleTest): string | undefined {
	let source = expr;
	for (const [name, { kind }] of Object.entries(bindings)) {
		if (CONSTANTS.has(name)) continue;
		const literal = kind.case === "value" ? literalOf(kind.value) : undefined;
		if (literal === undefined || !/^\w+$/.test(name)) return undefined;
		const isDynamic = typeEnv.some(
			({ name: declared, declKind }) =>
				declared === name &&
				declKind.case === "ident" &&
				declKind.value.type?.typeKind.case === "dyn",
		);
		source = `cel.bind(${name}, ${isDynamic ? `dyn(${literal})` : literal}, ${source})`;
	}
	return source;
}

const registry = createRegistry(TimestampSchema, DurationSchema);

function literalOf({ kind }: Value): string | undefined {
	switch (kind.case) {
		case "nullValue":
			return "null";
		case "boolValue":
		case "int64Value":
			return String(kind.value);
		case "uint64Value":
			return `${kind.value}u`;
		case "doubleValue":
			return `double('${kind.value}')`;
		case "stringValue":
			return JSON.stringify(kind.value);
		case "bytesValue":
			return `b'${[...kind.value].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`;
		case "listValue":
			return allOf(kind.value.values.map(literalOf), (elements) => `[${elements.join(", ")}]`);
		case "mapValue":
			return allOf(
				kind.value.entries.map(({ key, value }) =>
					allOf([key && literalOf(key), value && literalOf(value)], ([k, v]) => `${k}: ${v}`),
				),
				(entries) => `{${entries.join(", ")}}`,
			);
		case "objectValue":
			return timeLiteral(anyUnpack(kind.value, registry));
		default:
			return undefined;
	}
}

function allOf(
	parts: readonly (string | undefined)[],
	write: (parts: readonly string[]) => string,
): string | undefined {
	const known = parts.filter((part) => part !== undefined);
	return known.length < parts.length ? undefined : write(known);
}

function timeLiteral(message: ReturnType<typeof anyUnpack>): string | undefined {
	if (isMessage(message, DurationSchema)) {
		return `duration('${message.seconds}s') + duration('${message.nanos}ns')`;
	}
	if (!isMessage(message, TimestampSchema)) return undefined;
	return `timestamp(${message.seconds}) + duration('${message.nanos}ns')`;
}
