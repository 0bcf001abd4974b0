/** The editor as a component: loaded when it is first shown, since it is larger than all the rest. Used by policy.tsx. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Failure } from "../parts/notices.tsx";
import type { PolicyEditor } from "./policy-editor.ts";

interface Props {
	/** what it begins with; later texts are loaded by its methods */
	readonly text: string;
	readonly savedText: string;
	changed(text: string): void;
	save(): void;
	/** undefined: it is gone */
	ready(editor: PolicyEditor | undefined): void;
}

export function EditorView(props: Props) {
	const parent = useRef<HTMLDivElement>(null);
	const latest = useRef(props);
	latest.current = props;
	const [error, setError] = useState<unknown>(undefined);
	useEffect(() => {
		let editor: PolicyEditor | undefined;
		let gone = false;
		import("./policy-editor.ts").then((module) => {
			if (gone || parent.current === null) return;
			editor = new module.PolicyEditor({
				parent: parent.current,
				text: props.text,
				savedText: props.savedText,
				changed: (text) => latest.current.changed(text),
				save: () => latest.current.save(),
			});
			latest.current.ready(editor);
		}, setError);
		return () => {
			gone = true;
			editor?.destroy();
			latest.current.ready(undefined);
		};
	}, []);
	return (
		<>
			{error !== undefined && <Failure error={error} />}
			<div class="editor" ref={parent} />
		</>
	);
}
