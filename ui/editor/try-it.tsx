/** A request that is tried on the document in the editor, saved or not: nothing is sent and nothing is counted. Shown by policy.tsx. */
import { useRef, useState } from "preact/hooks";
import type { Explanation } from "../../src/management/live/shapes.ts";
import { type Client, routePath } from "../api/client.ts";
import { sentenceOf } from "../parts/notices.tsx";
import { type AskedForm, formOf, questionOf } from "./asked.ts";
import { Explained } from "./explained.tsx";

interface Props {
	readonly client: Client;
	readonly edgeId: string;
	readonly routeId: string;
	/** of the editor; undefined: there is none yet */
	readonly text: string | undefined;
	/** what the address brings along */
	readonly tried: Readonly<Record<string, string>>;
}

export function TryIt({ client, edgeId, routeId, text, tried }: Props) {
	const [form, setForm] = useState<AskedForm>(() => formOf(tried));
	const [told, setTold] = useState<Explanation | undefined>(undefined);
	const [mistake, setMistake] = useState("");
	/** only the last question's answer is shown */
	const asked = useRef(0);
	const explain = async (): Promise<void> => {
		const number = ++asked.current;
		const question = questionOf(form, text ?? "");
		if ("mistake" in question) {
			setMistake(question.mistake);
			return;
		}
		try {
			const path = `${routePath(edgeId, routeId)}/policy/explain`;
			const { value } = await client.ask<Explanation>(path, {
				method: "POST",
				body: question.body,
			});
			if (number !== asked.current) return;
			setTold(value);
			setMistake("");
		} catch (error) {
			if (number === asked.current) setMistake(sentenceOf(error));
		}
	};
	const field = (name: keyof AskedForm) => ({
		value: form[name],
		onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
			setForm({ ...form, [name]: event.currentTarget.value }),
	});
	return (
		<section class="try-it" aria-labelledby="try-it">
			<h2 id="try-it">Try it</h2>
			<p class="soft small">
				A request on the document above, saved or not. Nothing is sent to a backend, and no
				rate-limit counts it.
			</p>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void explain();
				}}
			>
				<label class="narrow-field">
					Method
					<input {...field("method")} spellcheck={false} />
				</label>
				<label class="wide-field">
					URL
					<input {...field("url")} spellcheck={false} />
				</label>
				<label class="narrow-field">
					Client address
					<input {...field("clientIp")} spellcheck={false} />
				</label>
				<label class="whole-field">
					Header fields
					<textarea {...field("headers")} rows={3} placeholder="name: value" spellcheck={false} />
				</label>
				<button type="submit" class="main" disabled={text === undefined}>
					Explain
				</button>
			</form>
			<p role="alert" class="bad">
				{mistake}
			</p>
			{told !== undefined && <Explained told={told} />}
		</section>
	);
}
