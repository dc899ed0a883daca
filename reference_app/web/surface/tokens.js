/**
 * Identifiers that are minted on the page. None of them is a secret.
 *
 * @module
 */

const BASE_62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE_36 = "0123456789abcdefghijklmnopqrstuvwxyz";
let registrations = 0;

/**
 * @param {string} alphabet
 * @param {number} length
 */
function draw(alphabet, length) {
  const bytes = crypto.getRandomValues(new Uint32Array(length));
  return Array.from(bytes, (value) => alphabet[value % alphabet.length]).join("");
}

export const tokens = {
  surface: () => `srf_${draw(BASE_62, 22)}`,
  registration: () => `reg_${(registrations++).toString(36).padStart(4, "0")}${draw(BASE_62, 6)}`,
  invocation: () => `inv_${draw(BASE_62, 12)}`,
  confirmation: () => `cnf_${draw(BASE_62, 12)}`,
  conversation: () => `cnv_${draw(BASE_36, 12)}`,
  turn: () => `trn_${draw(BASE_36, 12)}`,
};
