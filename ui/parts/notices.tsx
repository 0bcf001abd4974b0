/** What a page says where there is nothing to show, or where a request has failed. Used by all pages. */
import type { ComponentChildren } from "preact";
import { ApiFailure } from "../api/client.ts";
import { Mark } from "./marks.tsx";

interface EmptyProps {
	readonly title: string;
	readonly children: ComponentChildren;
}

export function Empty({ title, children }: EmptyProps) {
	return (
		<div class="empty">
			<strong>{title}</strong>
			{children}
		</div>
	);
}

export function Failure({ error }: { readonly error: unknown }) {
	return (
		<div class="notice" data-severity="critical" role="alert">
			<p>
				<Mark sign="critical" /> {sentenceOf(error)}
			</p>
		</div>
	);
}

/** What happened, for people. */
export function sentenceOf(error: unknown): string {
	if (error instanceof ApiFailure) {
		return error.code === "ERR_ROLE_REQUIRED"
			? `${error.message} Log in with a key of that role to do this.`
			: error.message;
	}
	return `This page has failed (${error instanceof Error ? error.message : String(error)}). Reload it; if it happens again, please report it.`;
}
