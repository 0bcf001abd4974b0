/**
 * Resources in the form that files have (contract 1, "Files of resources"): routes in their edges, policies in their routes, in the order of names,
 * without what is so by default. Read back it is the same. Called by `weir export`. Pure.
 */
import { inOrder, type Resource, type Resources } from "./resources.ts";

type Members = Readonly<Record<string, unknown>>;

export function exportForm(resources: Resources): Members {
	const all = inOrder(resources.values());
	const of = (kind: Resource["kind"]) => all.filter((each) => each.kind === kind);
	const routed = new Set(of("route").map(({ name }) => name));
	const policies = new Map(of("policy").map((each) => [each.name, formOf(each)]));
	const edges = of("edge").map((edge) => {
		const { name } = edge;
		const routes = of("route")
			.filter((route) => route.name.startsWith(`${name}/`))
			.map((route) => {
				const policy = policies.get(route.name);
				return [
					route.name.slice(name.length + 1),
					{ ...route.document, ...(policy === undefined ? {} : { policy }) },
				] as const;
			});
		return [name, { ...formOf(edge), ...section("routes", routes) }] as const;
	});
	const lists = of("ip_list").map((each) => [each.name, formOf(each)] as const);
	const others = [...policies].filter(([name]) => !routed.has(name));
	return {
		...section("ip_lists", lists),
		...section("edges", edges),
		...section("policies", others),
	};
}

/** A document without what is so by default. */
export function formOf({ kind, document }: Pick<Resource, "kind" | "document">): Members {
	if (kind === "policy") return policyForm(document);
	return kind === "ip_list" ? listForm(document) : plain(document);
}

const section = (name: string, entries: readonly (readonly [string, unknown])[]): Members =>
	entries.length === 0 ? {} : { [name]: Object.fromEntries(entries) };

/** Without texts that are empty. */
const plain = (document: Members): Members =>
	Object.fromEntries(Object.entries(document).filter(([, value]) => value !== ""));

const listForm = ({ entries, description }: Members): Members =>
	plain({ description: description ?? "", entries });

const isMembers = (value: unknown): value is Members =>
	typeof value === "object" && value !== null && !Array.isArray(value);

function policyForm(document: Members): Members {
	const { enabled, inbound, outbound, ...others } = document;
	return {
		...(enabled === false ? { enabled } : {}),
		...rules("inbound", inbound),
		...rules("outbound", outbound),
		...others,
	};
}

function rules(phase: string, list: unknown): Members {
	if (!Array.isArray(list) || list.length === 0) return {};
	return { [phase]: list.map(ruleForm) };
}

function ruleForm(rule: unknown): unknown {
	if (!isMembers(rule)) return rule;
	const { name, expressions, actions, ...others } = rule;
	const isAlways = Array.isArray(expressions) && expressions.length === 0;
	return {
		...(name === "" ? {} : { name }),
		...others,
		...(isAlways ? {} : { expressions }),
		actions: Array.isArray(actions) ? actions.map(actionForm) : actions,
	};
}

function actionForm(action: unknown): unknown {
	if (!isMembers(action)) return action;
	const { config, ...others } = action;
	const isEmpty = isMembers(config) && Object.keys(config).length === 0;
	return { ...others, ...(isEmpty ? {} : { config }) };
}
