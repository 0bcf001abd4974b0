/**
 * Upper bounds of times and sizes. Outside of loops a bound is a number. Inside a loop it may depend on the
 * element of the present turn: then it is a polynomial over `Quantity`s, such as the characters of the element,
 * with coefficients that are not negative. When the walk leaves the loop, each quantity is replaced by its sum
 * over all elements: a list of many short texts and one long text costs the characters that it has, instead of
 * the longest text times the number of elements. Used by all files of this folder. Every operation may give more
 * than the true bound, never less.
 */

/** One size of the element of a loop's turn, e.g. its characters. */
export interface Quantity {
	readonly order: number;
	/** of the largest element, in quantities of outer loops */
	readonly max: Bound;
	/** of all elements together */
	readonly total: Bound;
	/** `max` as a number, all outer quantities at their largest */
	readonly most: number;
}

interface Term {
	readonly coefficient: number;
	/** ascending by `order`; a square has its quantity twice */
	readonly quantities: readonly Quantity[];
	/** the same for terms of the same quantities */
	readonly key: string;
}

interface Polynomial {
	readonly constant: number;
	readonly terms: readonly Term[];
}

/** A plain number outside of loops, where most of an expression is. */
export type Bound = number | Polynomial;

/** beyond which a bound becomes a plain number */
const TERMS_MAX = 12;
const DEGREE_MAX = 4;
/** large enough for every time, small enough for products to be finite */
const ENDLESS = 1e60;

const NO_TERMS: readonly Term[] = [];

const constantOf = (bound: Bound): number => (typeof bound === "number" ? bound : bound.constant);
const termsOf = (bound: Bound): readonly Term[] =>
	typeof bound === "number" ? NO_TERMS : bound.terms;

let quantitiesMade = 0;

export function quantity(max: Bound, total: Bound): Quantity {
	quantitiesMade++;
	return { order: quantitiesMade, max, total, most: largest(max) };
}

export const boundOf = (of: Quantity): Bound => ({
	constant: 0,
	terms: [{ coefficient: 1, quantities: [of], key: `${of.order}` }],
});

/** The bound as a number, all quantities at their largest. */
export function largest(bound: Bound): number {
	if (typeof bound === "number") return Math.min(bound, ENDLESS);
	let value = bound.constant;
	for (const { coefficient, quantities } of bound.terms) {
		let product = coefficient;
		for (const { most } of quantities) product *= most;
		value += product;
	}
	return Math.min(value, ENDLESS);
}

export const isConstant = (bound: Bound): bound is number => typeof bound === "number";

export function sum(...bounds: readonly Bound[]): Bound {
	let constant = 0;
	let open: Polynomial | undefined;
	let others: Term[] | undefined;
	for (const bound of bounds) {
		constant = Math.min(constant + constantOf(bound), ENDLESS);
		if (typeof bound === "number") continue;
		if (open === undefined) open = bound;
		else {
			others ??= [...open.terms];
			others.push(...bound.terms);
		}
	}
	if (open === undefined) return constant;
	return others === undefined
		? { constant, terms: open.terms }
		: collected(constant, others, (left, right) => left + right);
}

/** At least each of the two: term by term, since no quantity is negative. */
export function either(left: Bound, right: Bound): Bound {
	if (left === right) return left;
	const constant = Math.max(constantOf(left), constantOf(right));
	if (isConstant(left) && isConstant(right)) return constant;
	return collected(constant, [...termsOf(left), ...termsOf(right)], Math.max);
}

/**
 * A polynomial mostly shrinks when the walk leaves its loop. So `smaller` prefers a polynomial to a number
 * although the polynomial, at its largest, is up to so many times the number.
 */
const MUCH = 8;

/** Of two bounds on one size or time, the bound that is likely to be the smaller in the end. */
export function smaller(left: Bound, right: Bound): Bound {
	if (isConstant(left) && isConstant(right)) return Math.min(left, right);
	const a = largest(left) / (isConstant(left) ? 1 : MUCH);
	const b = largest(right) / (isConstant(right) ? 1 : MUCH);
	return a <= b ? left : right;
}

export function scaled(bound: Bound, factor: number): Bound {
	if (factor === 0) return 0;
	if (isConstant(bound)) return Math.min(bound * factor, ENDLESS);
	const terms = bound.terms.map(({ coefficient, quantities, key }) => ({
		coefficient: Math.min(coefficient * factor, ENDLESS),
		quantities,
		key,
	}));
	return { constant: Math.min(bound.constant * factor, ENDLESS), terms };
}

export function product(left: Bound, right: Bound): Bound {
	if (isConstant(left)) return scaled(right, left);
	if (isConstant(right)) return scaled(left, right);
	const parts: Bound[] = [scaled(left, right.constant), scaled(right, left.constant)];
	const terms = left.terms.flatMap((one) => right.terms.map((other) => productOfTerms(one, other)));
	// the product of the constants is in both of the parts
	const twice = Math.min(left.constant * right.constant, ENDLESS);
	const all = [...terms, ...parts.flatMap(termsOf)];
	return collected(twice, all, (a, b) => a + b);
}

function productOfTerms(one: Term, other: Term): Term {
	const quantities = [...one.quantities, ...other.quantities].sort((a, b) => a.order - b.order);
	return {
		coefficient: Math.min(one.coefficient * other.coefficient, ENDLESS),
		quantities,
		key: quantities.map(({ order }) => order).join(),
	};
}

/** Terms of the same quantities joined; a plain number if there are too many. */
function collected(
	constant: number,
	terms: readonly Term[],
	join: (left: number, right: number) => number,
): Bound {
	if (terms.length === 0) return constant;
	const byKey = new Map<string, Term>();
	for (const term of terms) {
		const known = byKey.get(term.key);
		if (known === undefined) byKey.set(term.key, term);
		else {
			const coefficient = Math.min(join(term.coefficient, known.coefficient), ENDLESS);
			byKey.set(term.key, { ...known, coefficient });
		}
	}
	const joined: Polynomial = { constant, terms: [...byKey.values()] };
	const isTooMuch =
		byKey.size > TERMS_MAX || joined.terms.some(({ quantities }) => quantities.length > DEGREE_MAX);
	return isTooMuch ? largest(joined) : joined;
}

/** @param inner the quantities of a loop @returns a bound without them that holds for every element */
export function forLargest(bound: Bound, inner: ReadonlySet<Quantity>): Bound {
	if (isConstant(bound)) return bound;
	return sum(
		bound.constant,
		...bound.terms.map((term) => withMaxima(term, term.quantities, inner)),
	);
}

/** @param turns of the loop @returns a bound on the sum over all elements */
export function summedUp(bound: Bound, inner: ReadonlySet<Quantity>, turns: Bound): Bound {
	if (isConstant(bound)) return scaled(turns, bound);
	const terms = bound.terms.map((term) => summedTerm(term, inner, turns));
	return sum(scaled(turns, bound.constant), ...terms);
}

/** Sums up one quantity of a product, with the others at their largest; the best choice of the one. */
function summedTerm(term: Term, inner: ReadonlySet<Quantity>, turns: Bound): Bound {
	let best = product(withMaxima(term, term.quantities, inner), turns);
	for (const [at, each] of term.quantities.entries()) {
		if (!inner.has(each)) continue;
		const others = term.quantities.filter((_, place) => place !== at);
		best = smaller(product(withMaxima(term, others, inner), each.total), best);
	}
	return best;
}

function withMaxima(
	{ coefficient }: Term,
	quantities: readonly Quantity[],
	inner: ReadonlySet<Quantity>,
): Bound {
	let bound: Bound = coefficient;
	for (const each of quantities) bound = product(bound, inner.has(each) ? each.max : boundOf(each));
	return bound;
}
