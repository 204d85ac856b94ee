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
import { storedFormOf, otherVersionOf, versionsOf } from './version-conversions.ts';
import { workloadScale } from './workload-scale.ts';
import type { GroupVersionKind, KubeObject } from '@flotilla/kube';
import { checkStoragePreconditions } from './storage-preconditions.ts';

/** A pod on a node gets time to stop; its kubelet reports when it has. A later delete can only shorten that time. */
const podDeletion: DeletionBehavior = {
  gracePeriod: (object, requested) => podGracePeriod(object as PodFields, requested),
};

interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string };
}

/** A namespace is deleted when the controller that empties it removes its finalizer. Without controllers it stays Terminating. */
const namespaceDeletion: DeletionBehavior = {
  // The first delete only sets the deletionTimestamp, even without finalizers.
  isHeld: ({ spec, metadata }: Namespace) =>
    metadata.deletionTimestamp === undefined || (spec?.finalizers?.length ?? 0) > 0,

  checkPreconditions: (name, preconditions, stored) =>
    checkStoragePreconditions({ resource: 'namespaces', group: '' }, name, preconditions, stored),

  mark: (namespace: Namespace) => {
    namespace.status = { ...namespace.status, phase: 'Terminating' };
    // Kubernetes does not set a grace period on namespaces.
    delete namespace.metadata.deletionGracePeriodSeconds;
  },
};

let catalog: ResourceCatalog | undefined;

/** Every built-in resource, in the order of discovery. Created once, because all servers of a process share them. */
export function builtinCatalog(): ResourceCatalog {
  return (catalog ??= new ResourceCatalog(builtinResources()));
}

function builtinResources(): Resource[] {
  const behaviors = new Map([...allKinds, definitionKind].map((behavior) => [kindKey(behavior), behavior]));
  return servedResources.map((served) => {
    const behavior = withFieldsOfOtherVersion(
      served,
      behaviors.get(kindKey(served)) ?? plainBehavior(served),
      behaviors,
    );
    const storedForm = storedFormOf(served);
    const toVersion = versionsOf(served);
    const other = otherVersionOf(served);
    const resource = builtinResource(served, {
      behavior,
      ...(storedForm && { storedForm }),
      ...(toVersion && { toVersion }),
      ...(other && { equivalents: () => resourcesNamed(other, served.plural) }),
      ...(served.subresources.some(({ name }) => name === 'scale') && { scale: workloadScale(served) }),
    });
    switch (kindKey(served)) {
      case '/v1/Namespace':
        return { ...resource, deletion: namespaceDeletion };
      case 'apiextensions.k8s.io/v1/CustomResourceDefinition':
        return { ...resource, deletion: definitionDeletion, isKnownKind: isKnownOrOldDefinition };
      case '/v1/Pod':
        return { ...resource, deletion: podDeletion };
      case '/v1/Service':
        return { ...resource, ...reservations, companions: serviceCompanions };
      default:
        return resource;
    }
  });
}

function resourcesNamed({ group, version }: GroupVersionKind, plural: string): Resource[] {
  const found = builtinCatalog().versions.get(`${group}/${version}`)?.resources.get(plural);
  return found ? [found] : [];
}

const reservations: Required<Pick<Resource, 'reserve' | 'release'>> = {
  reserve: ({ services }, object, old, dryRun) => services.reserve(object, old, dryRun),
  release: ({ services }, object) => services.release(object),
};

/** The kind of v1beta1 definitions is known, although that version is no longer served. */
function isKnownOrOldDefinition(apiVersion: string, kind: string): boolean {
  const isOld = apiVersion === `${definitionKind.group}/v1beta1` && kind === definitionKind.kind;
  return isOld || isKnownKind(apiVersion, kind);
}

/** Selects objects by the field labels of both versions, whichever they were written in. */
function withFieldsOfOtherVersion(
  served: ServedResource,
  behavior: KindBehavior,
  behaviors: ReadonlyMap<string, KindBehavior>,
): KindBehavior {
  const other = otherVersionOf(served);
  const otherFields = other && behaviors.get(kindKey(other))?.selectableFields;
  if (!otherFields) return behavior;
  return {
    ...behavior,
    selectableFields: (object) => ({ ...behavior.selectableFields?.(object), ...otherFields(object) }),
  };
}

function kindKey({ group, version, kind }: { group: string; version: string; kind: string }): string {
  return `${group}/${version}/${kind}`;
}

/** A kind without special behaviour. */
function plainBehavior({ group, version, kind }: ServedResource): KindBehavior {
  return { group, version, kind };
}
