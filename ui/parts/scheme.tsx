/**
 * Light, dark, or as the system has it: the button in the bar. The choice is the one thing that the page keeps in the
 * browser.
 */
import { useState } from "preact/hooks";

type Scheme = "system" | "light" | "dark";

const NEXT: Readonly<Record<Scheme, Scheme>> = { system: "light", light: "dark", dark: "system" };
const NAMES: Readonly<Record<Scheme, string>> = { system: "Auto", light: "Light", dark: "Dark" };
const KEPT = "weir-scheme";

function kept(): Scheme {
	try {
		const value = localStorage.getItem(KEPT);
		return value === "light" || value === "dark" ? value : "system";
	} catch {
		return "system"; // a browser that keeps nothing
	}
}

function apply(scheme: Scheme): void {
	document.documentElement.dataset.scheme = scheme;
	try {
		if (scheme === "system") localStorage.removeItem(KEPT);
		else localStorage.setItem(KEPT, scheme);
	} catch {
		// then it holds until the page is left
	}
}

/** Before anything is drawn. */
export const applyKeptScheme = (): void => apply(kept());

export function SchemeButton() {
	const [scheme, set] = useState(kept);
	const change = () => {
		apply(NEXT[scheme]);
		set(NEXT[scheme]);
	};
	return (
		<button type="button" class="plain" onClick={change} aria-label={`Colours: ${NAMES[scheme]}`}>
			{NAMES[scheme]}
		</button>
	);
}
