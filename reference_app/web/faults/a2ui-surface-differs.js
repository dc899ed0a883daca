/**
 * The page builds a card without its title.
 *
 * @module
 */

import { compiling } from "../cards/compile.js";
import { replace } from "./lib/replace.js";

replace(compiling, "compile", (compile) => (template, id) => compile({ ...template, title: "Card" }, id));
