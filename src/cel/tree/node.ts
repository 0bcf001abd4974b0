/**
 * The nodes of a syntax tree: one kind for each thing that can be written. The parser makes them (through
 * `SyntaxTree`). The checker notes on every node what type its value has, and replaces names by the variable,
 * the type or the field that they turn out to be. Cost, guard and lowering read the checked tree, and so do
 * the lints of policy/.
 */
import type { Overload } from "../check/signatures.ts";
import type { Type } from "../check/types.ts";
import type { Uint } from "../values/value.ts";

interface Placed {
	/** UTF-16 offset into the source */
	readonly offset: number;
	/** 1 for a leaf; macros count as what the specification expands them to */
	readonly depth: number;
	/** dyn until the checker sets it; may hold type variables that are bound later, which `Scope.typeOf` follows */
	type: Type;
}

interface Resolved extends Placed {
	/**
	 * After checking, the overloads that fit the types of the operands: one if the call is decided, several if
	 * operands of type dyn leave the choice to run time.
	 */
	overloads: readonly Overload[];
}

/** A literal in the representation of `values/value.ts`. */
export interface ConstantNode extends Placed {
	readonly kind: "constant";
	/** `alike/mould.ts` alone sets it, to another text */
	value: null | boolean | string | bigint | number | Uint8Array | Uint;
}

/** Before checking any name; after it the variable of a macro or of `cel.bind`. */
export interface IdentifierNode extends Placed {
	readonly kind: "identifier";
	readonly name: string;
}

/** A variable of the exchange such as `req.url.path`, dots included. Made by the checker. */
export interface VariableNode extends Placed {
	readonly kind: "variable";
	readonly name: string;
}

/** A type as a value, such as `int`. Made by the checker. */
export interface TypeNameNode extends Placed {
	readonly kind: "typeName";
	readonly name: string;
}

/** `operand.field` */
export interface SelectNode extends Placed {
	readonly kind: "select";
	operand: Node;
	readonly field: string;
}

/** `has(operand.field)` */
export interface HasNode extends Placed {
	readonly kind: "has";
	operand: Node;
	readonly field: string;
}

/** `operand.?field` */
export interface OptionalSelectNode extends Placed {
	readonly kind: "optionalSelect";
	operand: Node;
	readonly field: string;
}

/** Operators have the names of the functions that the specification gives them. */
export type UnaryOperator = "!_" | "-_";
export type BinaryOperator =
	| "_&&_"
	| "_||_"
	| "_==_"
	| "_!=_"
	| "_<_"
	| "_<=_"
	| "_>_"
	| "_>=_"
	| "_+_"
	| "_-_"
	| "_*_"
	| "_/_"
	| "_%_"
	| "@in"
	| "_[_]"
	| "_[?_]";

export interface UnaryNode extends Resolved {
	readonly kind: "unary";
	readonly operator: UnaryOperator;
	operand: Node;
}

export interface BinaryNode extends Resolved {
	readonly kind: "binary";
	readonly operator: BinaryOperator;
	left: Node;
	right: Node;
}

/** `condition ? whenTrue : whenFalse` */
export interface ConditionalNode extends Placed {
	readonly kind: "conditional";
	condition: Node;
	whenTrue: Node;
	whenFalse: Node;
}

/** `name(args)`, or `target.name(args)`; after checking only methods have a target, namespaces are in the name. */
export interface CallNode extends Resolved {
	readonly kind: "call";
	readonly name: string;
	target: Node | undefined;
	readonly args: Node[];
}

export interface ListNode extends Placed {
	readonly kind: "list";
	readonly elements: Node[];
	/** places of the elements written `?element` */
	readonly optionalIndices: readonly number[];
}

export interface MapEntry {
	key: Node;
	value: Node;
	/** is it written `?key: value`? */
	readonly isOptional: boolean;
}

export interface MapNode extends Placed {
	readonly kind: "map";
	readonly entries: readonly MapEntry[];
}

/** One loop variable, or two: index and element of a list, key and value of a map. */
export type LoopVariables = readonly [first: string, second?: string];

interface Loop extends Placed {
	range: Node;
	readonly variables: LoopVariables;
}

/** `range.all(x, condition)` and its like: whether elements meet a condition. */
export interface QuantifierNode extends Loop {
	readonly kind: "quantifier";
	readonly macro: "all" | "exists" | "exists_one";
	condition: Node;
}

/** `range.map(x, element)` and its like: a list of what each turn makes. */
export interface ListMacroNode extends Loop {
	readonly kind: "listMacro";
	readonly macro: "filter" | "map" | "transform_list";
	/** undefined: every turn makes an element */
	condition: Node | undefined;
	/** of `filter` the loop variable */
	element: Node;
}

interface MapMacro extends Loop {
	readonly kind: "mapMacro";
	/** undefined: every turn makes an entry */
	condition: Node | undefined;
}

/** `range.transformMap(k, v, element)`: a map with the keys of the range, which are indexes if it is a list. */
export interface TransformMapNode extends MapMacro {
	readonly macro: "transform_map";
	/** the first loop variable */
	key: Node;
	element: Node;
}

/** `range.transformMapEntry(k, v, element)`: a map with the entries of the maps that the turns make. */
export interface TransformMapEntryNode extends MapMacro {
	readonly macro: "transform_map_entry";
	element: Node;
}

export type MapMacroNode = TransformMapNode | TransformMapEntryNode;

/** `cel.bind(variable, value, body)` */
export interface BindNode extends Placed {
	readonly kind: "bind";
	readonly variable: string;
	value: Node;
	body: Node;
}

/** A macro that runs over a list or over the keys of a map. */
export type LoopNode = QuantifierNode | ListMacroNode | MapMacroNode;

export type Node =
	| ConstantNode
	| IdentifierNode
	| VariableNode
	| TypeNameNode
	| SelectNode
	| HasNode
	| OptionalSelectNode
	| UnaryNode
	| BinaryNode
	| ConditionalNode
	| CallNode
	| ListNode
	| MapNode
	| LoopNode
	| BindNode;
