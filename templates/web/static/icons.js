// Icons that a word found: a click takes the name of one.

import { copy } from "./base.js";

for (const found of document.querySelectorAll(".icons button")) found.addEventListener("click", () => copy(found.value));
