/**
 * Run the vectors that the Python surface and the page share, against the page's modules.
 *
 * This is one function expression, so that a browser and node can be handed the same text.
 *
 * @param {string} base where the page's modules are
 * @param {any} vectors the files of fixtures/surface by their names
 * @returns {Promise<{checked: {[name: string]: number}, problems: string[]}>}
 */
async ({ base, vectors }) => {
  const { wireNames } = await import(`${base}surface/wire-names.js`);
  const { binding } = await import(`${base}surface/binding.js`);
  const { validation } = await import(`${base}surface/validation.js`);
  const { digests } = await import(`${base}surface/digests.js`);
  const { LoopGuard } = await import(`${base}host/loop-guard.js`);

  const problems = [];
  const checked = {};
  const check = (name, expected, actual, given) => {
    checked[name] = (checked[name] ?? 0) + 1;
    if (JSON.stringify(expected) !== JSON.stringify(actual)) {
      problems.push(`${name} ${JSON.stringify(given)}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
    }
  };

  for (const { id, suffix, level, name } of vectors["wire-names"].encode) {
    check("encode", name, wireNames.encode(id, suffix ?? undefined, level ?? undefined), id);
  }
  for (const { keys, names } of vectors["wire-names"].assign) {
    const given = wireNames.assign(keys);
    check("assign", names, keys.map(({ id, suffix }) => given.get(wireNames.key(id, suffix ?? undefined))), keys);
  }
  for (const { name, id } of vectors["wire-names"].decode) {
    check("decode", id ?? null, wireNames.decode(name) ?? null, name);
  }
  for (const { schema, bound, overridable, reduced } of vectors["schema-reduction"]) {
    const actual = binding.reduceSchema(schema, bound, overridable);
    check("reduce", digests.canonicalJson(reduced), digests.canonicalJson(actual), { schema, bound });
  }
  for (const { schema, value, paths } of vectors.validation) {
    const found = validation.validate(schema, value).map(({ path }) => path);
    check("validate", [...paths].sort(), found.sort(), { schema, value });
  }
  for (const { value, text, fnv1a64 } of vectors["canonical-json"]) {
    check("canonical", text, digests.canonicalJson(value), value);
    if (fnv1a64 !== null) check("fnv1a64", fnv1a64, digests.fnv1a64(text), text);
  }
  for (const { calls, stops } of vectors["loop-guard"]) {
    const guard = new LoopGuard();
    const actual = calls.map(({ id, input, ok, result }) => guard.record(id, input, { ok, value: result }) !== undefined);
    check("loop guard", stops, actual, calls);
  }
  return { checked, problems };
};
