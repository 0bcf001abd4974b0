/**
 * Reads signatures and types from the text in which the tables of functions and variables write them, once, when the
 * process starts: `string.contains(string) -> bool` is a method, `size(list<A>) -> int` a function; single capitals
 * are type parameters. Called by `declarations.ts` and `variables.ts`.
 */
import {
	BOOL,
	BYTES,
	DOUBLE,
	DURATION,
	DYN,
	INT,
	listOf,
	mapOf,
	NULL,
	newVariable,
	optionalOf,
	STRING,
	TIMESTAMP,
	TYPE,
	type Type,
	type TypeVariable,
	UINT,
} from "./types.ts";

export interface Overload {
	readonly signature: string;
	readonly isMethod: boolean;
	/** the receiver first, if it is a method */
	readonly parameters: readonly Type[];
	readonly result: Type;
	/** number of its type parameters; they are variables numbered from 0, never bound themselves */
	readonly typeParameters: number;
	/** a list of nothing but this overload */
	readonly alone: readonly Overload[];
}

const NAMED: ReadonlyMap<string, Type> = new Map([
	["bool", BOOL],
	["bytes", BYTES],
	["double", DOUBLE],
	["duration", DURATION],
	["dyn", DYN],
	["int", INT],
	["null", NULL],
	["string", STRING],
	["timestamp", TIMESTAMP],
	["type", TYPE],
	["uint", UINT],
]);

/** Reads a type such as `map<string, list<A>>` at the start of `text`; `records` are types of our own. */
class TypeReader {
	#text: string;
	readonly #parameters = new Map<string, TypeVariable>();
	readonly #records: ReadonlyMap<string, Type>;

	/** the parameters that stand for keys */
	readonly #keys: ReadonlySet<string>;

	constructor(text: string, records: ReadonlyMap<string, Type>) {
		this.#text = text;
		this.#keys = new Set([...text.matchAll(/map<([A-Z]),/g)].map(([, key = ""]) => key));
		this.#records = records;
	}

	type(): Type {
		const name = this.#take(/^\w+/);
		if (name === "list" || name === "optional") {
			this.#take(/^</);
			const element = this.type();
			this.#take(/^>/);
			return name === "list" ? listOf(element) : optionalOf(element);
		}
		if (name === "map") {
			this.#take(/^</);
			const key = this.type();
			this.#take(/^, /);
			const value = this.type();
			this.#take(/^>/);
			return mapOf(key, value);
		}
		const known = NAMED.get(name) ?? this.#records.get(name) ?? this.#parameters.get(name);
		if (known !== undefined) return known;
		if (!/^[A-Z]$/.test(name)) throw new Error(`unknown type ${name} in a declaration`);
		const parameter = newVariable(this.#keys.has(name), this.#parameters.size);
		this.#parameters.set(name, parameter);
		return parameter;
	}

	get typeParameters(): number {
		return this.#parameters.size;
	}

	#take(pattern: RegExp): string {
		const match = pattern.exec(this.#text);
		if (match === null) throw new Error(`a declaration cannot be read at "${this.#text}"`);
		this.#text = this.#text.slice(match[0].length);
		return match[0];
	}

	skip(text: string): boolean {
		if (!this.#text.startsWith(text)) return false;
		this.#text = this.#text.slice(text.length);
		return true;
	}
}

export const readType = (text: string, records: ReadonlyMap<string, Type>): Type =>
	new TypeReader(text, records).type();

/** `name`, and what stands around it in `signature`; throws on a mistake, which start-up would show. */
export function readSignature(
	name: string,
	signature: string,
	records: ReadonlyMap<string, Type>,
): Overload {
	const methodAt = signature.indexOf(`.${name}(`);
	const isMethod = methodAt > 0;
	const rest = signature.slice(isMethod ? methodAt + name.length + 2 : name.length + 1);
	const receiver = isMethod ? `${signature.slice(0, methodAt)}, ` : "";
	const reader = new TypeReader(receiver + rest, records);
	const parameters: Type[] = [];
	while (!reader.skip(") -> ")) {
		parameters.push(reader.type());
		reader.skip(", ");
	}
	const result = reader.type();
	const alone: Overload[] = [];
	const { typeParameters } = reader;
	const overload: Overload = { signature, isMethod, parameters, result, typeParameters, alone };
	alone.push(overload);
	return overload;
}
