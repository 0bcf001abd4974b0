/** How the editor looks: the page's own colours, through its custom properties. Used by policy-editor.ts. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const look = EditorView.theme({
	"&": { height: "100%", backgroundColor: "var(--raised)", color: "var(--ink)" },
	"&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
	".cm-scroller": { fontFamily: "var(--mono)", fontSize: "var(--small)", lineHeight: "1.6" },
	".cm-content": { padding: "8px 0", caretColor: "var(--ink)" },
	".cm-line": { padding: "0 12px 0 6px" },
	".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--ink-soft)", border: "none" },
	".cm-lineNumbers .cm-gutterElement": { padding: "0 6px 0 10px" },
	".cm-hits": { borderLeft: "1px solid var(--line)", borderRight: "1px solid var(--line)" },
	".cm-hits .cm-gutterElement": { padding: "0 8px", textAlign: "right" },
	".cm-activeLine": { backgroundColor: "color-mix(in oklab, var(--hover) 60%, transparent)" },
	".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
	".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
	"&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
		{
			backgroundColor: "var(--accent-soft)",
		},
	"&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
	"&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--bad-ground)" },
	".cm-tooltip": {
		backgroundColor: "var(--raised)",
		color: "var(--ink)",
		border: "1px solid var(--line-strong)",
		borderRadius: "4px",
		boxShadow: "0 4px 16px rgb(0 0 0 / 18%)",
		fontFamily: "var(--sans)",
		fontSize: "var(--small)",
		maxWidth: "min(34rem, 90vw)",
	},
	".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "16em" },
	".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
	".cm-tooltip-autocomplete ul li[aria-selected]": {
		backgroundColor: "var(--accent)",
		color: "var(--on-accent)",
	},
	".cm-completionIcon": { display: "none" },
	".cm-completionDetail": { fontStyle: "normal", color: "inherit", marginLeft: "1.5em" },
	".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
	".cm-completionInfo": { padding: "8px 12px", whiteSpace: "pre-line" },
	".cm-diagnostic": { padding: "6px 12px", borderLeft: "none", whiteSpace: "pre-wrap" },
	".cm-diagnosticText": { fontFamily: "var(--mono)" },
	".cm-lint-marker": { width: "10px", height: "10px", marginTop: "5px" },
	".cm-lint-marker-error": {
		content: '""',
		backgroundColor: "var(--bad)",
		clipPath: "polygon(30% 0, 70% 0, 100% 30%, 100% 70%, 70% 100%, 30% 100%, 0 70%, 0 30%)",
	},
	".cm-lint-marker-warning": {
		content: '""',
		backgroundColor: "var(--warn)",
		clipPath: "polygon(50% 0, 100% 100%, 0 100%)",
	},
	".cm-lintRange-error": {
		backgroundImage: "none",
		textDecoration: "underline wavy var(--bad) 1px",
		textUnderlineOffset: "3px",
	},
	".cm-lintRange-warning": {
		backgroundImage: "none",
		textDecoration: "underline wavy var(--warn) 1px",
		textUnderlineOffset: "3px",
	},
	"@media (max-width: 40rem)": {
		".cm-lineNumbers, .cm-gutter-lint": { display: "none !important" },
	},
});

const colours = HighlightStyle.define([
	{ tag: tags.propertyName, color: "var(--ink)" },
	{ tag: tags.string, color: "var(--link)" },
	{ tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
	{ tag: [tags.separator, tags.squareBracket, tags.brace], color: "var(--ink-soft)" },
]);

export const theme = [look, syntaxHighlighting(colours)];
