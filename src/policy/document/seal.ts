/**
 * Takes secrets out of a document before it is stored, as the actions that have any say. Called by `store/writes.ts`
 * within the write, since what is stored decides how the same secret looks again; `threads/known-checks.ts` asks for them.
 */
import { type ActionType, actionOf } from "../actions/table.ts";
import type { PolicyDocument, RuleDocument } from "./schema.ts";

type Config = Readonly<Record<string, unknown>>;

/** @param stored what the document replaces. @returns the document itself if no action has secrets */
export function sealedDocument(
	document: PolicyDocument,
	stored: PolicyDocument | undefined,
): PolicyDocument {
	if (!hasSecrets(document)) return document;
	const inbound = document.inbound.map((rule) => sealedRule(rule, stored));
	const outbound = document.outbound.map((rule) => sealedRule(rule, stored));
	return { ...document, inbound, outbound };
}

/** Whether an action takes secrets, which nobody is to keep as they were put. */
export const hasSecrets = (document: PolicyDocument): boolean =>
	rulesOf(document).some(({ actions }) =>
		actions.some(({ type }) => actionOf(type).seal !== undefined),
	);

const rulesOf = ({ inbound, outbound }: PolicyDocument): readonly RuleDocument[] => [
	...inbound,
	...outbound,
];

function sealedRule(rule: RuleDocument, stored: PolicyDocument | undefined): RuleDocument {
	const actions = rule.actions.map((action) => {
		const { seal } = actionOf(action.type);
		if (seal === undefined) return action;
		const config = seal(action.config, configsOf(stored, action.type));
		// the schema of the action holds for it as before
		return { ...action, config } as typeof action;
	});
	return { ...rule, actions };
}

const configsOf = (stored: PolicyDocument | undefined, type: ActionType): readonly Config[] =>
	(stored === undefined ? [] : rulesOf(stored)).flatMap(({ actions }) =>
		actions.filter((each) => each.type === type).map(({ config }) => config),
	);
