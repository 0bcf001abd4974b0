/** What `weir check` has to say of one file: found by the other files of this folder, printed by `report.ts`. */
import type { Position } from "../../documents/json-position.ts";
import type { Wrapper } from "../../policy/document/wrappers.ts";
import type { ConfigProblem } from "../config/config-problem.ts";

export const KINDS = ["config", "policy", "resources"] as const;
export type Kind = (typeof KINDS)[number];

export interface Finding extends ConfigProblem {
	readonly severity: "error" | "warning";
}

export interface CheckedFile {
	/** as the command line has it */
	readonly path: string;
	/** undefined: nobody can tell, and `findings` says why */
	readonly kind: Kind | undefined;
	/** of a policy: the member that it stands in; undefined: in none */
	readonly wrapper: Wrapper | undefined;
	readonly findings: readonly Finding[];
}

export const errorsOf = ({ findings }: CheckedFile): readonly Finding[] =>
	findings.filter(({ severity }) => severity === "error");

export const finding = (
	severity: Finding["severity"],
	message: string,
	at: { readonly pointer?: string; readonly position?: Position | undefined } = {},
): Finding => ({
	severity,
	message,
	...(at.pointer === undefined ? {} : { pointer: at.pointer }),
	...(at.position === undefined ? {} : { position: at.position }),
});
