import {
  allKinds,
  servedResources,
  type KindBehavior,
  type ServedResource,
  podGracePeriod,
  type PodFields,
} from '@flotilla/builtins';
import { definitionDeletion } from './definition-deletion.ts';
import { definitionKind } from './definition-kind.ts';
import { builtinResource, isKnownKind } from './builtin-resource.ts';
import { ResourceCatalog } from './registry.ts';
import type { Resource, DeletionBehavior } from './resource.ts';
import { serviceCompanions } from './service-companions.ts';
import { storedFormOf, twinOf, versionsOf } from './version-conversions.ts';
import { workloadScale } from './workload-scale.ts';
import type { KubeObject } from '@flotilla/kube';
import { checkStoragePreconditions } from './storage-preconditions.ts';

/** A pod on a node is given time to stop; its kubelet says when it has. A later delete may only hurry it. */
const podDeletion: DeletionBehavior = {
  gracePeriod: (object, asked) => podGracePeriod(object as PodFields, asked),
};

interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string };
}

/** A namespace is deleted when the controller that empties it removes its finalizer. Without controllers it stays Terminating. */
const namespaceDeletion: DeletionBehavior = {
  // The first delete only ever marks, even a namespace that nothing holds.
  isHeld: ({ spec, metadata }: Namespace) =>
    metadata.deletionTimestamp === undefined || (spec?.finalizers?.length ?? 0) > 0,

  checkPreconditions: (name, asked, stored) =>
    checkStoragePreconditions({ resource: 'namespaces', group: '' }, name, asked, stored),

  mark: (namespace: Namespace) => {
    namespace.status = { ...namespace.status, phase: 'Terminating' };
    // Namespaces have a way of their own to go, which knows no grace.
    delete namespace.metadata.deletionGracePeriodSeconds;
  },
};

let catalog: ResourceCatalog | undefined;

/** Every built-in resource, in the order of discovery. They are the same for all servers of a process, so they are made once. */
export function builtinCatalog(): ResourceCatalog {
  return (catalog ??= new ResourceCatalog(builtinResources()));
}

function builtinResources(): Resource[] {
  const behaviors = new Map([...allKinds, definitionKind].map((behavior) => [kindKey(behavior), behavior]));
  return servedResources.map((served) => {
    const behavior = withTwinFields(served, behaviors.get(kindKey(served)) ?? plainBehavior(served), behaviors);
    const storedForm = storedFormOf(served);
    const toVersion = versionsOf(served);
    const resource = builtinResource(served, {
      behavior,
      ...(storedForm && { storedForm }),
      ...(toVersion && { toVersion }),
      ...(served.subresources.some(({ name }) => name === 'scale') && { scale: workloadScale(served) }),
    });
    switch (kindKey(served)) {
      case '/v1/Namespace':
        return { ...resource, deletion: namespaceDeletion };
      case 'apiextensions.k8s.io/v1/CustomResourceDefinition':
        return { ...resource, deletion: definitionDeletion, isKnownKind: isKnownBesideDefinitions };
      case '/v1/Pod':
        return { ...resource, deletion: podDeletion };
      case '/v1/Service':
        return { ...resource, ...reservations, companions: serviceCompanions };
      default:
        return resource;
    }
  });
}

const reservations: Required<Pick<Resource, 'reserve' | 'released'>> = {
  reserve: ({ services }, object, old, dryRun) => services.reserve(object, old, dryRun),
  released: ({ services }, object) => services.released(object),
};

/** Definitions of a version that is not served any more are still known by name. */
function isKnownBesideDefinitions(apiVersion: string, kind: string): boolean {
  const isOld = apiVersion === `${definitionKind.group}/v1beta1` && kind === definitionKind.kind;
  return isOld || isKnownKind(apiVersion, kind);
}

/** Objects are found by the labels of either version, whichever they were written in. */
function withTwinFields(
  served: ServedResource,
  behavior: KindBehavior,
  behaviors: ReadonlyMap<string, KindBehavior>,
): KindBehavior {
  const twin = twinOf(served);
  const ofTwin = twin && behaviors.get(kindKey(twin))?.selectableFields;
  if (!ofTwin) return behavior;
  return { ...behavior, selectableFields: (object) => ({ ...behavior.selectableFields?.(object), ...ofTwin(object) }) };
}

function kindKey({ group, version, kind }: { group: string; version: string; kind: string }): string {
  return `${group}/${version}/${kind}`;
}

/** A kind with nothing to say beyond its fields. */
function plainBehavior({ group, version, kind }: ServedResource): KindBehavior {
  return { group, version, kind };
}
