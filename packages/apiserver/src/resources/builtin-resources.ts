import { allKinds, servedResources, type KindBehavior, type ServedResource } from '@flotilla/builtins';
import { definitionDeletion } from './definition-deletion.ts';
import { definitionKind } from './definition-kind.ts';
import { builtinResource, isKnownKind } from './builtin-resource.ts';
import { namespaceDeletion } from './namespace-deletion.ts';
import { podDeletion } from './pod-deletion.ts';
import { ResourceCatalog } from './registry.ts';
import type { Resource } from './resource.ts';
import { serviceCompanions } from './service-companions.ts';
import { storedFormOf, twinOf, versionsOf } from './version-conversions.ts';
import { workloadScale } from './workload-scale.ts';

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
