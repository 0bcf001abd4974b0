/**
 * Upper bounds of times and sizes while they depend on what a loop has in hand: a number, and sums of products
 * of `Quantity`s with coefficients that are not negative. When the loop is left its quantities are summed up,
 * so that many elements which are long together cost what they cost, and not as if each were the longest.
 * The algebra of `cost.ts`; every operation may give more than the truth, never less.
 */

/** A size of a loop's element, e.g. its characters. */
export interface Quantity {
	readonly order: number;
	/** of the largest element, in quantities of outer loops */
	readonly max: Bound;
	/** of all elements together */
	readonly total: Bound;
	/** `max` where everything is as large as it can be */
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

/** Outside of loops, where most of an expression is, nothing but a number. */
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

/** The bound where everything is as large as it can be. */
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

/** A number is worth a bound that is so many times larger but shrinks when the loop is left. */
const MUCH = 8;

/** Of two bounds of the same the one that promises more. */
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

/** @param inner the quantities of a loop @returns what is at least the bound for each of its elements */
export function forLargest(bound: Bound, inner: ReadonlySet<Quantity>): Bound {
	if (isConstant(bound)) return bound;
	return sum(
		bound.constant,
		...bound.terms.map((term) => withMaxima(term, term.quantities, inner)),
	);
}

/** @param turns of the loop @returns what is at least the sum of the bound over all its elements */
export function summedUp(bound: Bound, inner: ReadonlySet<Quantity>, turns: Bound): Bound {
	if (isConstant(bound)) return scaled(turns, bound);
	const terms = bound.terms.map((term) => summedTerm(term, inner, turns));
	return sum(scaled(turns, bound.constant), ...terms);
}

/** One quantity of each product can be summed up, with the others at their largest: the best of these. */
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
