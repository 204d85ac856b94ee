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
import { isChecked, type FleetCheck, type Found, type Read } from './fleet-check.ts';
import { fleetChecks } from './fleet-checks.ts';

type Phase = FleetCheck['phase'];

/** By phase and collection: requests for other kinds pay for one lookup. */
const checksOf: Readonly<Record<Phase, ReadonlyMap<string, readonly FleetCheck[]>>> = {
  default: byCollection('default'),
  check: byCollection('check'),
};

function byCollection(phase: Phase): Map<string, FleetCheck[]> {
  const found = new Map<string, FleetCheck[]>();
  for (const check of fleetChecks.filter((one) => one.phase === phase)) {
    for (const { kind } of check.kinds) {
      const collection = collectionOf(kind.group, kind.plural);
      found.set(collection, [...(found.get(collection) ?? []), check]);
    }
  }
  return found;
}

function runPhase(phase: Phase, attributes: Attributes): void {
  for (const check of checksOf[phase].get(attributes.resource.collection) ?? []) runCheck(check, attributes);
}

/** In one turn of the event loop: everything it reads is in memory. */
function runCheck(check: FleetCheck, attributes: Attributes): void {
  if (!isChecked(check, attributes)) return;
  const { user, object, server } = attributes;
  // A member may be a group that the hub's user is in.
  if (check.isGuard && (user.name === hubUser.name || isMaster(user))) return;
  const first = check.decide(attributes);
  const outcome = first && 'reads' in first ? first.decideWith(first.reads.map((read) => find(server, read))) : first;
  if (outcome === undefined) return;
  if ('change' in outcome) Object.assign(object ?? {}, outcome.change);
  else if (check.isGuard) throw forbidden(attributes, outcome.refusal);
  else throw deniedByWebhook(check.webhook, outcome.refusal);
}

function find(server: Attributes['server'], read: Read): Found {
  if (read.read === 'served kind') return { objects: [], kind: server.findKind(read.gvk) };
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

export const fleetAdmission: readonly Admission[] = [
  {
    name: 'FleetChecks',
    admit: (attributes) => runPhase('default', attributes),
    validate: (attributes) => runPhase('check', attributes),
  },
];
