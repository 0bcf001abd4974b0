/** The picture of a soak as plain SVG: memory and descriptors of every process over time, and when workers were replaced. Pure. */

/** @typedef {import("./samples.mjs").Sample} Sample */

const WIDTH = 960;
const PANEL = 230;
const MARGIN = { left: 64, right: 170, top: 56, between: 54, bottom: 48 };
const HEIGHT = MARGIN.top + 2 * PANEL + MARGIN.between + MARGIN.bottom;
const INNER = WIDTH - MARGIN.left - MARGIN.right;
/** Told apart without colours as well: lines end beside their names. */
const COLOURS = ["#1b5e9e", "#b3541e", "#2f7d4f", "#7a3e9d", "#8a6d00", "#a02c4a"];
const INK = "#222";
const FAINT = "#ddd";

/** @param {string} text */
const escaped = (text) => text.replace(/[<>&"]/g, (each) => `&#${each.charCodeAt(0)};`);

/** @param {number} x @param {number} y @param {string} words @param {string} more */
const text = (x, y, words, more = "") =>
	`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(words)}</text>`;

/** A round number of steps to at least `most`. @param {number} most */
const stepFor = (most) => {
	const power = 10 ** Math.floor(Math.log10(Math.max(most, 1) / 4));
	return [1, 2, 5, 10].map((each) => each * power).find((each) => each * 5 >= most) ?? power * 10;
};

/**
 * @typedef {{title: string, value: (sample: Sample) => number}} Panel
 * @param {Panel} panel @param {readonly Sample[]} samples @param {number} top @param {number} seconds
 */
const draw = ({ title, value }, samples, top, seconds) => {
	const step = stepFor(Math.max(1, ...samples.map(value)));
	const most = Math.ceil(Math.max(1, ...samples.map(value)) / step) * step;
	const x = (/** @type {number} */ at) => MARGIN.left + (at / seconds) * INNER;
	const y = (/** @type {number} */ of) => top + PANEL - (of / most) * PANEL;
	const parts = [text(MARGIN.left, top - 10, title, 'font-weight="600"')];
	for (let at = 0; at <= most + step / 2; at += step) {
		parts.push(
			`<path d="M${MARGIN.left} ${y(at).toFixed(1)}H${MARGIN.left + INNER}" stroke="${FAINT}"/>`,
			text(MARGIN.left - 8, y(at) + 4, `${Number(at.toFixed(2))}`, 'text-anchor="end"'),
		);
	}
	const names = [...new Set(samples.map(({ name }) => name))];
	/** @type {{at: number, words: string, colour: string}[]} */
	const labels = [];
	for (const [index, name] of names.entries()) {
		const own = samples.filter((each) => each.name === name);
		const colour = COLOURS[index % COLOURS.length] ?? INK;
		const line = own.map((each) => `${x(each.seconds).toFixed(1)} ${y(value(each)).toFixed(1)}`);
		parts.push(
			`<path d="M${line.join("L")}" fill="none" stroke="${colour}" stroke-width="1.6" stroke-linejoin="round"/>`,
		);
		const last = own.at(-1);
		// Others have ended before: their names would lie over lines.
		if (last !== undefined && last.seconds === samples.at(-1)?.seconds)
			labels.push({
				at: y(value(last)),
				words: `${name}: ${value(last).toFixed(value === megabytes ? 1 : 0)}`,
				colour,
			});
	}
	let below = Number.NEGATIVE_INFINITY;
	for (const { at, words, colour } of labels.toSorted((one, other) => one.at - other.at)) {
		below = Math.max(at + 4, below + 16);
		parts.push(text(MARGIN.left + INNER + 8, below, words, `fill="${colour}"`));
	}
	return parts;
};

/** @param {Sample} sample */
const megabytes = ({ anonymous }) => anonymous / 1024;

/**
 * @param {readonly Sample[]} samples
 * @param {{title: string, seconds: number, replaced: readonly number[]}} told `replaced`: when new workers took over, seconds
 * @returns {string}
 */
export const plot = (samples, { title, seconds, replaced }) => {
	const x = (/** @type {number} */ at) => MARGIN.left + (at / seconds) * INNER;
	const bottom = MARGIN.top + 2 * PANEL + MARGIN.between;
	const minutes = Math.max(1, Math.round(seconds / 60 / 6));
	const parts = [
		`<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
		text(MARGIN.left, 22, title, 'font-size="15" font-weight="600"'),
		...replaced.map(
			(at) =>
				`<path d="M${x(at).toFixed(1)} ${MARGIN.top}V${bottom}" stroke="#999" stroke-dasharray="2 4"/>`,
		),
		`<rect x="${x(seconds / 2).toFixed(1)}" y="${MARGIN.top}" width="${(INNER / 2).toFixed(1)}" height="${bottom - MARGIN.top}" fill="#1b5e9e" opacity="0.05"/>`,
		...draw(
			{ title: "memory that no file stands behind, MB", value: megabytes },
			samples,
			MARGIN.top,
			seconds,
		),
		...draw(
			{ title: "descriptors", value: ({ descriptors }) => descriptors },
			samples,
			MARGIN.top + PANEL + MARGIN.between,
			seconds,
		),
	];
	for (let at = 0; at * 60 <= seconds + 1; at += minutes)
		parts.push(text(x(at * 60), bottom + 18, `${at}`, 'text-anchor="middle"'));
	parts.push(
		text(
			MARGIN.left,
			bottom + 38,
			"minutes; dashed: workers replaced; shaded: what is judged",
			'font-size="12"',
		),
	);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="12" fill="${INK}" role="img">\n<title>${escaped(title)}</title>\n${parts.join("\n")}\n</svg>\n`;
};
