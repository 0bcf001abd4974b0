/** The way in: an API key, which stays in this page's memory. Shown by app.tsx until a key is taken. */
import { useRef, useState } from "preact/hooks";
import { ApiFailure, Client } from "../api/client.ts";
import { Brand } from "../parts/marks.tsx";
import { Failure } from "../parts/notices.tsx";
import { SchemeButton } from "../parts/scheme.tsx";

interface Props {
	/** why the last session has ended, if not by its owner */
	readonly ended: ApiFailure | undefined;
	enter(client: Client): void;
}

export function Login({ ended, enter }: Props) {
	const input = useRef<HTMLInputElement>(null);
	const [error, setError] = useState<unknown>(ended);
	const [asking, setAsking] = useState(false);
	const submit = async (event: Event) => {
		event.preventDefault();
		const key = input.current?.value.trim() ?? "";
		if (key === "") {
			setError(new ApiFailure("Enter an API key.", 0));
			input.current?.focus();
			return;
		}
		setAsking(true);
		try {
			const client = new Client(printable(key));
			await client.get("/edges/https?limit=1");
			enter(client);
		} catch (failure) {
			setError(failure);
			setAsking(false);
			input.current?.select();
		}
	};
	return (
		<main class="login">
			<h1>
				<Brand />
				weir
			</h1>
			<form onSubmit={submit}>
				<label for="key">API key</label>
				<div class="field">
					<input
						id="key"
						ref={input}
						type="password"
						autocomplete="off"
						spellcheck={false}
						autofocus
						aria-describedby="hints"
					/>
					<button type="submit" class="main" disabled={asking}>
						Log in
					</button>
				</div>
				<div class="answer">{error !== undefined && <Failure error={error} />}</div>
			</form>
			<div class="hints" id="hints">
				<p>
					A key to look with: <code>weir keys create --role read</code>. To save policies it takes
					the role <code>admin</code>.
				</p>
				<p>The key is kept in this page alone: who reloads it enters the key again.</p>
				<p>
					Colours: <SchemeButton />
				</p>
			</div>
		</main>
	);
}

/** @throws ApiFailure for what can't stand in a header field */
function printable(key: string): string {
	if (/^[\x21-\x7e]+$/.test(key)) return key;
	throw new ApiFailure(
		"An API key has letters, digits, - and _ only. Copy it again, without spaces.",
		0,
	);
}
