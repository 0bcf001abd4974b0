/**
 * The text of all macros for docs/expressions.md. What they become stands in `parse/`; a test holds the names here to
 * those there. A macro has a definition here and its form there, and nothing else.
 */
import type { Example } from "./definition.ts";

export interface MacroDefinition {
	readonly name: string;
	/** the forms in which it is written */
	readonly written: readonly string[];
	readonly doc: string;
	readonly examples: readonly Example[];
}

export const MACROS: readonly MacroDefinition[] = [
	{
		name: "has",
		written: ["has(a.b)"],
		doc: "Is there a field or key? Never fails for maps, so it guards look-ups that would.",
		examples: [
			["has(req.headers.authorization)", "false"],
			["has(req.content_type.parameters.charset)", "true"],
		],
	},
	{
		name: "all",
		written: ["list.all(x, c)", "list.all(i, v, c)"],
		doc: "Does the condition hold for all elements? One for which it does not decides, even if it fails for others. True of an empty list.",
		examples: [["req.content_encoding.all(e, e in ['gzip', 'br'])", "true"]],
	},
	{
		name: "exists",
		written: ["list.exists(x, c)", "list.exists(i, v, c)"],
		doc: "Does the condition hold for some element? One for which it does decides, even if it fails for others.",
		examples: [["getReqHeader('accept').exists(v, v.contains('json'))", "true"]],
	},
	{
		name: "exists_one",
		written: ["list.exists_one(x, c)", "list.exists_one(i, v, c)"],
		doc: "Does the condition hold for one element and no other?",
		examples: [["getQueryParam('tag').exists_one(t, t == 'new')", "true"]],
	},
	{
		name: "existsOne",
		written: ["list.existsOne(x, c)", "list.existsOne(i, v, c)"],
		doc: "The same.",
		examples: [["[1, 2, 2].existsOne(x, x == 2)", "false"]],
	},
	{
		name: "filter",
		written: ["list.filter(x, c)"],
		doc: "The elements for which the condition holds.",
		examples: [["getQueryParam('tag').filter(t, t != 'new')", "['gift card']"]],
	},
	{
		name: "map",
		written: ["list.map(x, e)", "list.map(x, c, e)"],
		doc: "What an expression makes of each element, or of those for which a condition holds.",
		examples: [
			["getQueryParam('tag').map(t, t.size())", "[3, 9]"],
			["[1, 2, 3].map(x, x > 1, x * 10)", "[20, 30]"],
		],
	},
	{
		name: "transformList",
		written: ["list.transformList(i, v, e)", "list.transformList(i, v, c, e)"],
		doc: "As `map`, with the place of each element, or key and value of a map.",
		examples: [["['a', 'b'].transformList(i, v, v + string(i))", "['a0', 'b1']"]],
	},
	{
		name: "transformMap",
		written: ["list.transformMap(i, v, e)", "list.transformMap(i, v, c, e)"],
		doc: "A map with the same keys, or places as keys, and what an expression makes of each value.",
		examples: [["{'a': 1, 'b': 2}.transformMap(k, v, v * 10)", "{'a': 10, 'b': 20}"]],
	},
	{
		name: "transformMapEntry",
		written: ["list.transformMapEntry(i, v, m)", "list.transformMapEntry(i, v, c, m)"],
		doc: "A map of the entries of all maps that an expression makes. Fails if a key comes twice.",
		examples: [["{'a': 'x'}.transformMapEntry(k, v, {v: k})", "{'x': 'a'}"]],
	},
	{
		name: "sortBy",
		written: ["list.sortBy(x, e)"],
		doc: "The elements in the order of what an expression makes of each; equal ones stay in their order.",
		examples: [["['bb', 'a', 'ccc'].sortBy(t, -t.size())", "['ccc', 'bb', 'a']"]],
	},
	{
		name: "optMap",
		written: ["optional.optMap(x, e)"],
		doc: "An optional of what an expression makes of the value, if there is one.",
		examples: [["getReqHeader('accept').first().optMap(v, v.size()).orValue(0)", "9"]],
	},
	{
		name: "optFlatMap",
		written: ["optional.optFlatMap(x, e)"],
		doc: "The optional that an expression makes of the value, if there is one.",
		examples: [["optional.of('/a/b').optFlatMap(p, p.split('/').last()).orValue('')", "'b'"]],
	},
	{
		name: "cel.bind",
		written: ["cel.bind(x, e, r)"],
		doc: "The value of `r`, in which the name stands for the value of `e`, found once.",
		examples: [["cel.bind(n, req.url.path.split('/').size(), n > 2 && n < 9)", "true"]],
	},
	{
		name: "math.greatest",
		written: ["math.greatest(a, …)", "math.greatest(list)"],
		doc: "The greatest of some numbers. Fails for an empty list and for NaN.",
		examples: [["math.greatest(1, req.url.port, 80)", "443"]],
	},
	{
		name: "math.least",
		written: ["math.least(a, …)", "math.least(list)"],
		doc: "The least of some numbers. Fails for an empty list and for NaN.",
		examples: [["math.least([3, 1, 2])", "1"]],
	},
];
