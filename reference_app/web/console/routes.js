/**
 * The console's screens by path, their titles, and what of both catalogs each has to do with.
 *
 * @module
 */

/** @typedef {Readonly<{path: string, title: string, scope: readonly string[]}>} Route */

/** @type {Route} */
const HOME = { path: "/receivables/pending", title: "Pending invoices", scope: ["invoices", "reporting", "collections"] };

/** The screens in the order of the navigation; the first is where a page that is asked for nothing known opens. */
export const ROUTES = [
  HOME,
  { path: "/receivables/all", title: "All invoices", scope: ["invoices", "reporting"] },
  { path: "/receivables/clients", title: "Clients", scope: ["clients", "invoices"] },
  { path: "/about", title: "How this works", scope: ["app"] },
];

/** @returns {string[]} */
export function knownPaths() {
  return ROUTES.map(({ path }) => path);
}

/**
 * @param {string} path
 * @returns {Route} the first screen for a path that is not known
 */
export function routeOf(path) {
  return ROUTES.find((route) => route.path === path) ?? HOME;
}

/**
 * The scope of a path or of one under it, `app` always among it.
 *
 * @param {string} path
 * @returns {readonly string[]} empty, which is unscoped, for a path that is not known
 */
export function scopeFor(path) {
  const route =
    ROUTES.find((candidate) => candidate.path === path) ??
    ROUTES.find((candidate) => path.startsWith(`${candidate.path}/`));
  if (route === undefined) return [];
  return route.scope.includes("app") ? route.scope : ["app", ...route.scope];
}
