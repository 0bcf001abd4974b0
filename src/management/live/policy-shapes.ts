/** What the live page is told of policies: hits, checks, the language (docs/management-api.md, "Live"). A part of `shapes.ts`. */

export interface RuleHits {
	readonly phase: "inbound" | "outbound";
	/** in the document, from 0 */
	readonly index: number;
	readonly name: string;
	/** requests that all of the rule's expressions were true for */
	readonly matches: number;
	/** of these, those that it ended with a refusal */
	readonly refusals: number;
}

/** `GET …/routes/{id}/policy/hits` */
export interface PolicyHits {
	readonly rules: readonly RuleHits[];
	/** when counting began: the start, or the last change of the policy */
	readonly since: number;
	/** of the stored document that was counted, as the policy's GET has it */
	readonly etag: string;
}

/** A place in the text of a document: lines and columns count from 1, columns in UTF-16 units; `to` is behind the last. */
export interface TextRange {
	readonly line: number;
	readonly column: number;
	readonly end_line: number;
	readonly end_column: number;
}

export interface CheckedProblem {
	/** RFC 6901, into the document; `""`: the whole */
	readonly pointer: string;
	readonly code: string;
	readonly message: string;
	/** null: it can't be told */
	readonly range: TextRange | null;
}

/** `POST /policy/check`; the body is the document, as it would be PUT, JSON or YAML. Answered with 200 in any case. */
export interface PolicyCheckAnswer {
	readonly valid: boolean;
	/** what PUT would refuse */
	readonly problems: readonly CheckedProblem[];
	/** what PUT would warn of */
	readonly warnings: readonly CheckedProblem[];
}

export interface LanguageVariable {
	readonly name: string;
	/** as in the documentation, e.g. `map(string, list(string))` */
	readonly type: string;
	readonly documentation: string;
	readonly example: string;
	/** phases in which it has a value */
	readonly phases: readonly ("inbound" | "outbound")[];
}

export interface LanguageFunction {
	readonly name: string;
	/** e.g. `string.contains(string) -> bool` */
	readonly signatures: readonly string[];
	/** called behind a dot, on a value */
	readonly member: boolean;
	readonly documentation: string;
	readonly examples: readonly string[];
}

export interface LanguageAction {
	readonly type: string;
	readonly phases: readonly ("inbound" | "outbound")[];
	readonly documentation: string;
	/** JSON Schema of its `config` */
	readonly config: object;
	/** an action as it stands in a document */
	readonly example: object;
}

/** `GET /policy/language` */
export interface PolicyLanguage {
	readonly variables: readonly LanguageVariable[];
	readonly functions: readonly LanguageFunction[];
	readonly actions: readonly LanguageAction[];
	/** JSON Schema of a whole document, as at `/schemas/policy.json` */
	readonly schema: object;
}
