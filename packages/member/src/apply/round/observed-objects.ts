import { namespaces, type Kind, type KubeObject } from '@flotilla/kube';
import type { Sighting } from '../watch/applied-objects.ts';
import type { Outcome } from '../manifest/outcome.ts';
import { isPrepared, type Prepared } from './prepare-manifests.ts';
import type { Round } from './work-round.ts';

/** The objects whose changes concern the Work, as its round left them. */
export function sightingsOf({ manifests, outcomes }: Pick<Round, 'manifests' | 'outcomes'>): Sighting[] {
  return manifests.flatMap((manifest, ordinal) => {
    const outcome = outcomes[ordinal];
    return isPrepared(manifest) && outcome !== undefined ? sightingsOfManifest(manifest, outcome) : [];
  });
}

function sightingsOfManifest({ kind, key }: Prepared, { result, live, missingNamespace }: Outcome): Sighting[] {
  const missing = missingNamespace === undefined ? [] : [absent(missingNamespace)];
  // Of what could not be read nobody knows what it was.
  if (result === 'FailedToFindObjInMemberCluster' || !canBeWatched(kind)) return missing;
  return [{ kind, key, metadata: live && versionOf(live) }, ...missing];
}

/** A sighting is kept, and the rest of an object should not be. */
function versionOf({ metadata: { uid = '', resourceVersion = '' } }: KubeObject): Sighting['metadata'] {
  return { uid, resourceVersion };
}

function absent(namespace: string): Sighting {
  return { kind: namespaces, key: { name: namespace }, metadata: undefined };
}

/** A kind that was not discovered says nothing of its verbs. */
export function canBeWatched(kind: Kind & { readonly verbs?: readonly string[] }): boolean {
  return ['list', 'watch'].every((verb) => kind.verbs?.includes(verb) ?? true);
}
