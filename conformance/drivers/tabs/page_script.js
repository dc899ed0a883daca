(spec) => {
  const at = (root, spot) => {
    if (!spot) return null;
    const mark = spot.lastIndexOf("@");
    const named = mark >= 0 && !spot.slice(mark).includes("]");
    const selector = named ? spot.slice(0, mark) : spot;
    const element = selector ? root.querySelector(selector) : root;
    if (!element) return null;
    return named ? element.getAttribute(spot.slice(mark + 1)) : element.textContent;
  };
  const all = (selector) => (selector ? [...document.querySelectorAll(selector)] : []);
  const seen = (element) => element.checkVisibility();
  const pick = (element, spots) =>
    Object.fromEntries(Object.entries(spots).map(([name, spot]) => [name, at(element, spot)]));
  const each = (list) => (list ? all(list.each) : []);
  const valueOf = (field) => (field.type === "checkbox" ? field.checked : (field.value ?? field.textContent));
  const fields = (dialog, list) =>
    list.field
      ? Object.fromEntries([...dialog.querySelectorAll(list.field)].map((field) => [at(field, list.field_name), valueOf(field)]))
      : null;
  const { shown } = spec;
  const mark = shown.selected ? shown.selected.lastIndexOf("@") : -1;
  return {
    address: location.pathname + location.search,
    title: at(document, shown.title),
    totalRows: at(document, shown.total_rows),
    conversation: at(document, shown.conversation),
    busy: all(spec.busy).length > 0,
    selected: shown.selected
      ? all(shown.selected.slice(0, mark)).map((element) => element.getAttribute(shown.selected.slice(mark + 1)))
      : [],
    notices: all(shown.notice).filter(seen).map((element) => element.textContent),
    rows: each(shown.rows).map((row) => ({
      key: at(row, shown.rows.key),
      cells: Object.fromEntries(
        [...row.querySelectorAll(shown.rows.cell)].map((cell) => [at(cell, shown.rows.cell_name), cell.textContent]),
      ),
    })),
    dialogs: each(shown.dialogs)
      .filter(seen)
      .map((dialog) => {
        const { each: _each, field: _field, field_name: _name, ...spots } = shown.dialogs;
        return { ...pick(dialog, spots), fields: fields(dialog, shown.dialogs) };
      }),
    cards: each(shown.cards).map((card) => {
      const { each: _each, ...spots } = shown.cards;
      return pick(card, spots);
    }),
    transcript: each(shown.transcript).map((said) => {
      const { each: _each, ...spots } = shown.transcript;
      return pick(said, spots);
    }),
    turn: pick(document, spec.turn),
    told: spec.told ? pick(document, spec.told) : null,
  };
}
