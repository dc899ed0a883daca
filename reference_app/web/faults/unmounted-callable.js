/**
 * A call to a component that has left the page is carried out all the same.
 *
 * @module
 */

import { dispatching } from "../host/dispatch.js";
import { availability } from "../surface/availability.js";
import { execution } from "../surface/execution.js";
import { resolution } from "../surface/resolution.js";
import { replace } from "./lib/replace.js";

replace(dispatching, "isLive", () => () => true);
replace(resolution, "resolve", (resolve) => (request, scene) => {
  const mounted = new Set(scene.live.map(({ registration }) => registration.component.instanceId));
  const unnamed = request.registrationId === undefined;
  const left = scene.buried.findLast(
    ({ registration: { id, component } }) =>
      (unnamed || id === request.registrationId) && !mounted.has(component.instanceId),
  );
  return left === undefined || (unnamed && scene.live.length > 0) ? resolve(request, scene) : left;
});
replace(availability, "evaluate", (evaluate) => (registration, capability) =>
  registration.status === "unregistered" ? availability.byState(capability.source) : evaluate(registration, capability),
);
replace(execution, "checkMayStart", () => () => {});
