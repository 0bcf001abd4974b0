/** Begins the live page: index.html loads what scripts/page/build-page.mjs makes of it. */
import { render } from "preact";
import { App } from "./app.tsx";
import { applyKeptScheme } from "./parts/scheme.tsx";

applyKeptScheme();
const page = document.getElementById("page");
if (page !== null) render(<App />, page);
