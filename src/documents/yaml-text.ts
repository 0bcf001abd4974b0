/**
 * Writes documents as YAML that people go on editing: short values on one line, long texts as blocks; and writes a
 * changed document into a text that has comments, which stay where what they are about stays. Used by `weir export` and
 * for the differences that `weir apply` and `weir diff` show.
 */
import {
	isMap,
	isNode,
	isScalar,
	isSeq,
	type Node,
	parseDocument,
	stringify,
	type YAMLMap,
	type YAMLSeq,
} from "yaml";

const STYLE = {
	...{ lineWidth: 0, indentSeq: true, flowCollectionPadding: false },
	aliasDuplicateObjects: false,
} as const;

export const yamlText = (value: unknown): string => stringify(value, STYLE);

/**
 * The document as YAML, with the comments and the layout of `before` wherever a part is the same or has the same name.
 * @param before YAML that `parseYaml` takes
 */
export function yamlTextOver(before: string, value: unknown): string {
	const document = parseDocument(before);
	// its type is that of what was read
	(document as { contents: unknown }).contents = merged(document.contents, value, document);
	return document.toString(STYLE);
}

type Factory = { createNode(value: unknown): Node };
type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** @param node what stood there; null: nothing */
function merged(node: unknown, value: unknown, factory: Factory): Node {
	if (isMap(node) && isMembers(value)) return mergedMap(node, value, factory);
	if (isSeq(node) && Array.isArray(value)) return mergedList(node, value, factory);
	if (isScalar(node) && !isMembers(value) && !Array.isArray(value)) {
		if (node.value !== value) {
			node.value = value;
			// "1" and 1 are written differently
			delete node.source;
		}
		return node;
	}
	return factory.createNode(value);
}

function mergedMap(map: YAMLMap, value: Members, factory: Factory): YAMLMap {
	const nameOf = (key: unknown): string => String(isScalar(key) ? key.value : key);
	map.items = map.items.filter(({ key }) => Object.hasOwn(value, nameOf(key)));
	const known = new Map(map.items.map((pair) => [nameOf(pair.key), pair]));
	for (const [name, member] of Object.entries(value)) {
		const pair = known.get(name);
		if (pair === undefined) map.set(factory.createNode(name), factory.createNode(member));
		else pair.value = merged(pair.value, member, factory);
	}
	return map;
}

/** Elements go by what they are, then by their `name`, then by their place. */
function mergedList(list: YAMLSeq, value: readonly unknown[], factory: Factory): YAMLSeq {
	const [first] = list.items;
	// The reader takes what stands above the first element for the list's.
	if (list.commentBefore && isNode(first) && !first.commentBefore) {
		first.commentBefore = list.commentBefore;
		list.commentBefore = null;
	}
	const left = new Set(list.items);
	const plain = new Map(list.items.map((item) => [item, plainOf(item)]));
	const texts = value.map((each) => canonical(each));
	const chosen = value.map((_each, at): unknown =>
		take(left, (item) => canonical(plain.get(item)) === texts[at]),
	);
	for (const [at, each] of value.entries()) {
		if (chosen[at] !== undefined || !isMembers(each) || typeof each.name !== "string") continue;
		chosen[at] = take(left, (item) => {
			const other = plain.get(item);
			return isMembers(other) && other.name === each.name;
		});
	}
	list.items = value.map((each, at) => {
		const same = list.items[at];
		const node = chosen[at] ?? (left.delete(same) ? same : undefined);
		return merged(node, each, factory);
	});
	return list;
}

function take(left: Set<unknown>, isIt: (item: unknown) => boolean): unknown {
	for (const item of left) {
		if (!isIt(item)) continue;
		left.delete(item);
		return item;
	}
	return undefined;
}

const plainOf = (item: unknown): unknown =>
	isMap(item) || isSeq(item) || isScalar(item) ? item.toJSON() : item;

/** The same text for objects whose members are the same, in whatever order. */
export function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
	if (!isMembers(value)) return JSON.stringify(value) ?? "null";
	const members = Object.entries(value)
		.filter(([, member]) => member !== undefined)
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
	return `{${members.join(",")}}`;
}
