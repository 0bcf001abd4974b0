/**
 * The JSON Schema of policies by which editors complete and check files: `policyJsonSchema` with the spellings that
 * `dialects.ts` takes besides. Asked by `management/document-schemas.ts`. The wrapper `module` is left out: it is what
 * clients send, not what people write.
 */
import { type PolicyLimits, policyJsonSchema } from "./schema.ts";

interface Node {
	readonly type?: unknown;
	readonly description?: string;
	readonly const?: unknown;
	readonly maxItems?: number;
	readonly properties?: Readonly<Record<string, Node>>;
	readonly required?: readonly string[];
	readonly items?: Node;
	readonly oneOf?: readonly Node[];
	readonly [keyword: string]: unknown;
}

const NAMES = { inbound: "on_http_request", outbound: "on_http_response" } as const;

const oneOf = (names: readonly string[]) => ({
	anyOf: names.map((name) => ({ required: [name] })),
});

export function editorSchema(limits?: PolicyLimits): object {
	const schema = policyJsonSchema(limits) as Node;
	const properties: Record<string, Node> = { ...schema.properties };
	for (const [phase, name] of Object.entries(NAMES)) {
		const rules = withBodies(properties[phase] ?? {});
		properties[phase] = rules;
		properties[name] = {
			description: `Another name of \`${phase}\`.`,
			type: "array",
			...(rules.maxItems === undefined ? {} : { maxItems: rules.maxItems }),
			items: { $ref: `#/properties/${phase}/items` },
		};
	}
	const mixed = { allOf: [oneOf(Object.keys(NAMES)), oneOf(Object.values(NAMES))] };
	return { ...schema, properties, not: mixed };
}

/** Rules whose custom-response may say `body` for `content`. */
function withBodies(rules: Node): Node {
	const { items, ...list } = rules;
	const actions = items?.properties?.actions;
	const branches = actions?.items?.oneOf;
	if (items === undefined || actions === undefined || branches === undefined) return rules;
	const changed = { ...actions, items: { ...actions.items, oneOf: branches.map(withBody) } };
	return { ...list, items: { ...items, properties: { ...items.properties, actions: changed } } };
}

function withBody(action: Node): Node {
	const { type, config } = action.properties ?? {};
	const content = config?.properties?.content;
	if (type?.const !== "custom-response" || config === undefined || content === undefined) {
		return action;
	}
	const { required = [], ...others } = config;
	const names = ["content", "body"];
	const rest = required.filter((name) => name !== "content");
	const changed = {
		...others,
		properties: {
			...config.properties,
			body: { ...content, description: "Another name of `content`." },
		},
		...(rest.length === 0 ? {} : { required: rest }),
		...(rest.length === required.length ? {} : oneOf(names)),
		not: { required: names },
	};
	return { ...action, properties: { ...action.properties, config: changed } };
}
