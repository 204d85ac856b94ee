/** The fleet's checks as admission plugins of a server of ours. */
import {
  collectionOf,
  forbidden,
  namespacedObject,
  storedObject,
  storedObjects,
  type Admission,
  type Attributes,
} from '@flotilla/apiserver';
import { isMaster, qualified, rbacGroup, type Kind } from '@flotilla/kube';
import { deniedByWebhook } from '../denied-by-webhook.ts';
import { hubUser } from '../install-hub.ts';
import { anyName, isChecked, type FleetCheck, type Found, type Read } from './fleet-check.ts';
import { fleetChecks, type FleetCheckSettings } from './fleet-checks.ts';

export const fleetAdmissionName = 'FleetChecks';

type Phase = FleetCheck['phase'];

/** By the plural of their kinds: requests for other kinds pay for one lookup. */
interface ChecksOfPhase {
  readonly byPlural: ReadonlyMap<string, readonly FleetCheck[]>;
  readonly ofAnyKind: readonly FleetCheck[];
}

function checksOf(checks: readonly FleetCheck[], phase: Phase): ChecksOfPhase {
  const byPlural = new Map<string, FleetCheck[]>();
  const ofAnyKind: FleetCheck[] = [];
  for (const check of checks.filter((one) => one.phase === phase)) {
    const plurals = new Set(check.kinds.map(({ kind }) => kind.plural));
    if (plurals.has(anyName)) ofAnyKind.push(check);
    else for (const plural of plurals) byPlural.set(plural, [...(byPlural.get(plural) ?? []), check]);
  }
  return { byPlural, ofAnyKind };
}

function runChecks({ byPlural, ofAnyKind }: ChecksOfPhase, attributes: Attributes): void {
  const checks = byPlural.get(attributes.resource.plural);
  if (checks) for (const check of checks) runCheck(check, attributes);
  for (const check of ofAnyKind) runCheck(check, attributes);
}

/** In one turn of the event loop: everything it reads is in memory. */
function runCheck(check: FleetCheck, attributes: Attributes): void {
  if (!isChecked(check, attributes)) return;
  const { user, object, server } = attributes;
  // A member may be a group that the hub's user is in.
  if (check.isGuard && (user.name === hubUser.name || isMaster(user))) return;
  const first = check.decide(attributes, server.now());
  const outcome = first && 'reads' in first ? first.decideWith(first.reads.map((read) => find(server, read))) : first;
  if (outcome === undefined) return;
  if ('change' in outcome) Object.assign(object ?? {}, outcome.change);
  else if (check.isGuard && !check.failsOpen) throw forbidden(attributes, outcome.refusal);
  else throw deniedByWebhook(check.webhook, outcome.refusal, outcome.code);
}

function find(server: Attributes['server'], read: Read): Found {
  if (read.read === 'served kind') return { objects: [], kind: server.findKind(read.gvk) };
  if (read.read === 'right') {
    const { user, right } = read;
    const access = { isResource: true, user, version: '', namespace: '', ...right } as const;
    return { objects: [], isAllowed: server.access.authorize(access).isAllowed };
  }
  const collection = storedCollection(read.kind);
  if (read.read === 'objects') return { objects: [...storedObjects(server, collection, read.namespace)] };
  const { namespace, name } = read.key;
  const found =
    namespace === undefined
      ? storedObject(server, collection, name)
      : namespacedObject(server, collection, namespace, name);
  return { objects: found ? [found] : [] };
}

/** Built-in and custom kinds have different names in the store. */
function storedCollection({ group, plural }: Kind): string {
  return group === rbacGroup ? qualified(plural, group) : collectionOf(group, plural);
}

export function fleetAdmission(settings: FleetCheckSettings): Admission {
  const checks = fleetChecks(settings, hubUser.name);
  const [defaults, afterwards] = [checksOf(checks, 'default'), checksOf(checks, 'check')];
  return {
    name: fleetAdmissionName,
    admit: (attributes) => runChecks(defaults, attributes),
    validate: (attributes) => runChecks(afterwards, attributes),
  };
}
