/**
 * Expressions of one shape share their code: policies that one tool wrote from a template differ in their texts only,
 * which are constants. So 100,000 of them need one copy of the code's text and one compiled function, whose closures
 * V8 optimises together; a policy is left with its constants. Asked by `assemble.ts`, which makes shapes, and by
 * `open.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { Cache } from "../cache.ts";
import type { Shape } from "./code.ts";

const SHAPES = new Cache<Shape>(LIMITS.sharedShapes);

/** The shape that is equal to this one and was met first; itself if there is none, or if it is long. */
export function sharedShape(shape: Shape): Shape {
	const { body, result, functions, names, shared, reads } = shape;
	if (body.length + result.length > LIMITS.sharedShapeCharacters) return shape;
	// No part holds a line end but the body, which comes last.
	const key = [result, functions, names, shared, reads, body].join("\n");
	return SHAPES.get(key) ?? SHAPES.put(key, shape);
}
