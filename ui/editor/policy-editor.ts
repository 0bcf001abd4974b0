/**
 * The editor of a policy's document (CodeMirror). It lives in a shadow root, where its styles are adopted style sheets: the
 * page's content security policy allows no style elements. Made by editor-view.tsx.
 */
import {
	autocompletion,
	closeBrackets,
	closeBracketsKeymap,
	completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Text, Transaction } from "@codemirror/state";
import {
	drawSelection,
	EditorView,
	highlightActiveLine,
	highlightActiveLineGutter,
	highlightSpecialChars,
	keymap,
	lineNumbers,
} from "@codemirror/view";
import type {
	CheckedProblem,
	PolicyCheckAnswer,
	PolicyLanguage,
	RuleHits,
	TextRange,
} from "../../src/management/live/shapes.ts";
import { policyCompletion } from "./completion.ts";
import { treeOf } from "./places.ts";
import { placeOfRule, ruleHits, showHits, textIsSaved } from "./rule-hits.ts";
import { theme } from "./theme.ts";

export interface EditorOptions {
	readonly parent: HTMLElement;
	/** another than `savedText`: an unsaved draft of it */
	readonly text: string;
	readonly savedText: string;
	changed(text: string): void;
	save(): void;
}

export class PolicyEditor {
	readonly #view: EditorView;
	readonly #completion = new Compartment();

	constructor({ parent, text, savedText, changed, save }: EditorOptions) {
		const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
		const saving = {
			key: "Mod-s",
			preventDefault: true,
			run: () => {
				save();
				return true;
			},
		};
		this.#view = new EditorView({
			parent: root as unknown as HTMLElement,
			root,
			state: EditorState.create({
				doc: savedText,
				extensions: [
					...[
						lintGutter(),
						lineNumbers(),
						ruleHits(),
						highlightActiveLine(),
						highlightActiveLineGutter(),
					],
					...[
						highlightSpecialChars(),
						history(),
						drawSelection(),
						indentOnInput(),
						indentUnit.of("  "),
					],
					...[json(), bracketMatching(), closeBrackets(), EditorView.lineWrapping, theme],
					this.#completion.of([]),
					keymap.of([saving, ...closeBracketsKeymap, ...completionKeymap]),
					keymap.of([...historyKeymap, ...defaultKeymap]),
					EditorView.contentAttributes.of({
						tabindex: "0",
						"aria-label":
							"Policy document, JSON. Control and space complete what is being written; Tab leaves.",
					}),
					EditorView.updateListener.of((update) => {
						if (update.docChanged) changed(update.state.doc.toString());
					}),
				],
			}),
		});
		if (text !== savedText) this.#replace(text);
	}

	/** Another text is the saved one now; what was written here is gone, but for undoing. */
	load(text: string): void {
		if (text !== this.#view.state.doc.toString()) this.#replace(text);
		textIsSaved(this.#view);
	}

	/** What is written here has been saved. */
	saved(): void {
		textIsSaved(this.#view);
	}

	/** Only what differs, so that cursor and place on the screen stay. */
	#replace(text: string): void {
		const before = this.#view.state.doc.toString();
		const least = Math.min(before.length, text.length);
		let start = 0;
		while (start < least && before[start] === text[start]) start++;
		let end = 0;
		while (end < least - start && before.at(-1 - end) === text.at(-1 - end)) end++;
		this.#view.dispatch({
			changes: {
				from: start,
				to: before.length - end,
				insert: text.slice(start, text.length - end),
			},
			annotations: Transaction.userEvent.of("input.load"),
		});
	}

	completeWith(language: PolicyLanguage): void {
		const extension = autocompletion({ override: [policyCompletion(language)], icons: false });
		this.#view.dispatch({ effects: this.#completion.reconfigure(extension) });
	}

	/** @param checked of the text that is shown now */
	showProblems({ problems, warnings }: PolicyCheckAnswer): void {
		const { state } = this.#view;
		const diagnostics = [
			...problems.map((each) => diagnosticOf(state, each, "error")),
			...warnings.map((each) => diagnosticOf(state, each, "warning")),
		].sort((a, b) => a.from - b.from);
		this.#view.dispatch(setDiagnostics(state, diagnostics));
	}

	showHits(rules: readonly RuleHits[]): void {
		showHits(this.#view, rules);
	}

	goToRule(rule: Pick<RuleHits, "phase" | "index">): void {
		const place = placeOfRule(this.#view, rule);
		if (place !== undefined) this.#goTo(place, "start");
	}

	goToProblem({ range }: CheckedProblem): void {
		this.#goTo(range === null ? 0 : span(this.#view.state.doc, range).from, "center");
	}

	#goTo(anchor: number, y: "start" | "center"): void {
		const effects = EditorView.scrollIntoView(anchor, { y, yMargin: 24 });
		this.#view.dispatch({ selection: { anchor }, effects });
		this.#view.focus();
	}

	destroy(): void {
		this.#view.destroy();
	}
}

/** The API names a field by its name; what is wrong is most often the value behind it. */
function diagnosticOf(
	state: EditorState,
	{ message, range }: CheckedProblem,
	severity: Diagnostic["severity"],
): Diagnostic {
	if (range === null) return { from: 0, to: Math.min(1, state.doc.length), severity, message };
	const { from, to } = span(state.doc, range);
	const node = treeOf(state).resolveInner(from, 1);
	const whole = node.name === "PropertyName" ? (node.parent?.to ?? to) : to;
	return { from, to: Math.max(to, Math.min(whole, state.doc.lineAt(from).to)), severity, message };
}

/** The answer may be of a text that was longer: nothing lies outside. */
function span(
	doc: Text,
	{ line, column, end_line, end_column }: TextRange,
): { from: number; to: number } {
	const offset = (atLine: number, atColumn: number) => {
		const { from, to } = doc.line(Math.min(Math.max(atLine, 1), doc.lines));
		return Math.min(from + atColumn - 1, to);
	};
	const from = offset(line, column);
	return { from, to: Math.max(offset(end_line, end_column), from) };
}
