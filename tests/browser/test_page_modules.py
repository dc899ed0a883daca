"""The page's modules in the browser that runs them: shared vectors, and the deliberate defects."""

from tests.browser.person import Person
from tests.reference_app.web.vectors import EXPECTED_AT_LEAST, expression, vectors


def test_the_page_passes_the_shared_vectors(carla: Person) -> None:
    """In the browser as in node and in Python: the same names, schemas, digests and verdicts."""
    carla.open("/about")

    outcome = carla.page.evaluate(expression(), {"base": f"{carla.base_url}/web/", "vectors": vectors()})

    assert [] == outcome["problems"]
    assert {} == {
        name: least for name, least in EXPECTED_AT_LEAST.items() if outcome["checked"].get(name, 0) < least
    }


def test_every_defect_finds_the_rule_that_it_replaces(carla: Person) -> None:
    """A defect that replaces nothing would prove nothing; its module fails to load then."""
    carla.open("/about")

    failed = carla.page.evaluate(
        """async () => {
          const { faults } = await (await fetch("/web/faults/index.json")).json();
          const failed = [];
          for (const { name } of faults) {
            await import(`/web/faults/${name}.js`).catch((error) => failed.push(`${name}: ${error.message}`));
          }
          return failed;
        }"""
    )

    assert [] == failed


def test_only_what_the_contract_vouches_for_is_registered(carla: Person) -> None:
    """A tampered inventory is no authority, a raw component none that may enter, a changed contract refused."""
    carla.open("/about")

    outcome = carla.page.evaluate(
        """async () => {
          const { Authority } = await import("/web/surface/authority.js");
          const { bindContract } = await import("/web/surface/contracts.js");
          const { Registry } = await import("/web/surface/registry.js");
          const { LIMITS } = await import("/web/surface/limits.js");
          const { browserClock } = await import("/web/surface/clock.js");
          const bundle = async () => (await fetch("/web/contracts/bundle.json")).json();
          const codes = [];
          const noted = async (work) => { try { await work(); codes.push("accepted"); } catch (error) { codes.push(error.code); } };
          const clean = await bundle();
          const authority = await Authority.mint(clean.compiled);
          const session = clean.components.find(({ component }) => component === "app.session");
          const handlers = { reads: { read: { read: () => null } } };
          const registry = new Registry({
            authority, clock: browserClock(), limits: LIMITS, policies: [], host: () => ({}), route: () => "/",
            executor: { paths: [], execute: async () => null },
          });
          await noted(async () => registry.register(bindContract(authority, session, handlers)));
          await noted(async () => {
            const { compiled } = await bundle();
            compiled.capabilities[0].description += "!";
            await Authority.mint(compiled);
          });
          await noted(async () => {
            const changed = structuredClone(session);
            changed.observations.read.description += "!";
            bindContract(authority, changed, handlers);
          });
          await noted(async () => bindContract(authority, session, { reads: {} }));
          await noted(async () => registry.register({ ...bindContract(authority, session, handlers) }));
          const chase = clean.components.find(({ component }) => component === "collections.chase");
          const unbound = { path: "update-collection-status", bind: () => ({}), boundKeys: [], overridable: [] };
          await noted(async () => bindContract(authority, chase, {
            reads: { readDraft: { read: () => null } }, does: { discardDraft: { execute: () => null } }, procedures: [unbound],
          }));
          return codes;
        }"""
    )

    assert ["accepted", *["INVALID_DEFINITION"] * 5] == outcome
