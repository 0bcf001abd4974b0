/** The few signs of the page. Each form is another one, so that none is told from another by its colour alone. */
import type { JSX } from "preact";

export type Sign = "well" | "warning" | "critical" | "unknown";

const FORMS: Readonly<Record<Sign, JSX.Element>> = {
	well: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
	warning: <path d="M6 .8 11.6 11H.4Z" fill="currentColor" />,
	critical: <path d="M3.5.5h5l3 3v5l-3 3h-5l-3-3v-5Z" fill="currentColor" />,
	unknown: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="1.6" />,
};

const COLOURS: Readonly<Record<Sign, string>> = {
	well: "good",
	warning: "warn",
	critical: "bad",
	unknown: "soft",
};

/** Says nothing to a screen reader: words stand beside it. */
export function Mark({ sign }: { readonly sign: Sign }) {
	return (
		<svg viewBox="0 0 12 12" class={COLOURS[sign]} aria-hidden="true">
			{FORMS[sign]}
		</svg>
	);
}

export function State({ sign, children }: { readonly sign: Sign; readonly children: string }) {
	return (
		<span class="mark">
			<Mark sign={sign} />
			{children}
		</span>
	);
}

export function Arrow({ up }: { readonly up: boolean }) {
	return (
		<svg viewBox="0 0 10 10" aria-hidden="true">
			<path d={up ? "M5 1 9 8H1Z" : "M5 9 1 2h8Z"} fill="currentColor" />
		</svg>
	);
}

/** Water over a weir. */
export function Brand() {
	return (
		<svg viewBox="0 0 16 16" aria-hidden="true">
			<path d="M1 4.5h6v6h8" fill="none" stroke="currentColor" stroke-width="2" />
			<path d="M10 7.5h5" fill="none" stroke="var(--accent)" stroke-width="1.6" />
			<path d="M1 13.5h14" fill="none" stroke="var(--accent)" stroke-width="1.2" />
		</svg>
	);
}
