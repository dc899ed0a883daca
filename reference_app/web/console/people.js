/**
 * The people of the demonstration, as its sign-in knows them; what each may do is the server's to say.
 *
 * @module
 */

/** @typedef {Readonly<{user: string, name: string, work: string}>} Known */

/** @type {readonly Known[]} */
export const PEOPLE = Object.freeze([
  { user: "carla", name: "Carla Moreau", work: "Controller" },
  { user: "conrad", name: "Conrad Abara", work: "Controller" },
  { user: "ada", name: "Ada Lindqvist", work: "Analyst" },
]);
