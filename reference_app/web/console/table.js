/**
 * A table as pure functions: which rows are visible, in which order, in which columns.
 *
 * Amounts are compared as numbers and shown as texts; a filter that can't be read filters nothing.
 *
 * @module
 */

/** @typedef {"asc" | "desc"} Direction */
/** @typedef {Readonly<{key: string, direction: Direction}>} Sort */
/** @typedef {Readonly<{order: readonly string[], hidden: readonly string[]}>} Layout */

/**
 * One column: what it holds, how that is shown, and what can be done with it.
 *
 * @template Row
 * @typedef {Readonly<{
 *   id: string, label: string, value: (row: Row) => string | number, text: (row: Row) => string,
 *   filter?: "select" | "number-range" | "date-range", pinned?: boolean, sortable?: boolean, numeric?: boolean, wraps?: boolean,
 *   tone?: (row: Row) => "good" | "calm" | "late" | "grave",
 * }>} Column `tone` is how a value is coloured, besides being written; what `wraps` may take a second line
 */

/**
 * One kind of table. `filters` are those in the address with their defaults; `keeps` says whether a row passes them.
 *
 * @template Row
 * @typedef {Readonly<{
 *   columns: readonly Column<Row>[], filters: Readonly<{[name: string]: string}>, defaultSort: Sort,
 *   keeps: (row: Row, filters: {[name: string]: string}) => boolean,
 * }>} TableSpec
 */

/** @typedef {Readonly<{filters: {[name: string]: string}, sort: Sort | null, columnFilters: {[id: string]: string}}>} TableView */

/**
 * The rows that pass all filters, in order.
 *
 * @template Row
 * @param {TableSpec<Row>} spec
 * @param {readonly Row[]} rows
 * @param {TableView} view
 * @returns {Row[]}
 */
export function visibleRows(spec, rows, { filters, sort, columnFilters }) {
  const kept = rows.filter((row) => spec.keeps(row, filters) && passesColumns(spec, row, columnFilters));
  const column = spec.columns.find(({ id }) => id === sort?.key);
  if (column === undefined || sort === null) return kept;
  const sign = sort.direction === "asc" ? 1 : -1;
  return kept.sort((left, right) => sign * compare(column.value(left), column.value(right)));
}

/**
 * @param {string | number} left
 * @param {string | number} right
 */
function compare(left, right) {
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * @template Row
 * @param {TableSpec<Row>} spec
 * @param {Row} row
 * @param {{[id: string]: string}} wanted
 */
function passesColumns(spec, row, wanted) {
  return spec.columns.every((column) => {
    const text = wanted[column.id] ?? "";
    return text === "" || column.filter === undefined || passes(column.filter, column.value(row), text);
  });
}

/**
 * @param {"select" | "number-range" | "date-range"} kind
 * @param {string | number} value
 * @param {string} wanted
 */
function passes(kind, value, wanted) {
  if (kind === "select") return value === wanted;
  const cut = wanted.indexOf(",");
  const low = cut < 0 ? wanted : wanted.slice(0, cut);
  const high = cut < 0 ? "" : wanted.slice(cut + 1);
  return typeof value === "number" ? inEuroRange(value, low, high) : inDateRange(value, low.trim(), high.trim());
}

/**
 * @param {number} cents
 * @param {string} low
 * @param {string} high
 */
function inEuroRange(cents, low, high) {
  const [lower, upper] = [low, high].map((text) => (text.trim() === "" ? Number.NaN : Number(text) * 100));
  return !(cents < /** @type {number} */ (lower)) && !(cents > /** @type {number} */ (upper));
}

/**
 * @param {string} day
 * @param {string} first
 * @param {string} last
 */
function inDateRange(day, first, last) {
  if (first === "" && last === "") return true;
  return day !== "" && (first === "" || day >= first) && (last === "" || day <= last);
}

/**
 * Read an order from the address: `none` is no order, what can't be read is the default.
 *
 * @template Row
 * @param {TableSpec<Row>} spec
 * @param {string} text
 * @returns {Sort | null}
 */
export function sortFromText(spec, text) {
  if (text === "none") return null;
  const [, key = "", direction] = /^(.*)\.(asc|desc)$/.exec(text) ?? [];
  return sortable(spec).includes(key) ? { key, direction: /** @type {Direction} */ (direction) } : spec.defaultSort;
}

/**
 * Write an order into the address.
 *
 * @template Row
 * @param {TableSpec<Row>} spec
 * @param {Sort | null} sort
 * @returns {string | undefined} undefined for the default, which is left out
 */
export function sortToText(spec, sort) {
  if (sort === null) return "none";
  const isDefault = sort.key === spec.defaultSort.key && sort.direction === spec.defaultSort.direction;
  return isDefault ? undefined : `${sort.key}.${sort.direction}`;
}

/**
 * @template Row
 * @param {TableSpec<Row>} spec
 * @returns {string[]} the ids one can sort by
 */
export function sortable(spec) {
  return spec.columns.filter((column) => column.sortable !== false).map(({ id }) => id);
}

/**
 * @template Row
 * @param {TableSpec<Row>} spec
 * @returns {string[]} the ids of the columns that can be moved and hidden
 */
export function movable(spec) {
  return spec.columns.filter(({ pinned }) => !pinned).map(({ id }) => id);
}

/**
 * A kept layout, as far as it fits the columns that there are.
 *
 * @template Row
 * @param {TableSpec<Row>} spec
 * @param {Layout | undefined} kept
 * @returns {Layout}
 */
export function layoutOf(spec, kept) {
  const ids = movable(spec);
  const order = (kept?.order ?? []).filter((id) => ids.includes(id));
  return {
    order: [...order, ...ids.filter((id) => !order.includes(id))],
    hidden: (kept?.hidden ?? []).filter((id) => ids.includes(id)),
  };
}

/**
 * One place to the left or right; at the edge nothing moves.
 *
 * @param {Layout} layout
 * @param {string} id
 * @param {string} direction
 * @returns {Layout}
 */
export function moved({ order, hidden }, id, direction) {
  const at = order.indexOf(id);
  const to = at + (direction === "left" ? -1 : 1);
  const other = order[to];
  if (at < 0 || other === undefined) return { order, hidden };
  const next = [...order];
  next[at] = other;
  next[to] = id;
  return { order: next, hidden };
}

/**
 * @param {Layout} layout
 * @param {string} id
 * @param {boolean} isHidden
 * @returns {Layout}
 */
export function withVisibility({ order, hidden }, id, isHidden) {
  const others = hidden.filter((other) => other !== id);
  return { order, hidden: isHidden ? [...others, id] : others };
}
