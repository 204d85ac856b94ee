import type { Kind, KubeObject } from '@flotilla/kube';
import type { Sighting } from './applied-objects.ts';
import type { Outcome } from './outcome.ts';
import { isPrepared, type Prepared } from './prepare-manifests.ts';
import type { Round } from './work-round.ts';

const namespaces: Kind = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };

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

/**
 * Whether a further round would find the same as long as nothing changes on either side. What is not as it should be is
 * looked at again; so is what a hub wants to hear of with the time of day.
 */
export function isSettled({ work, manifests, outcomes }: Pick<Round, 'work' | 'manifests' | 'outcomes'>): boolean {
  const mirrors = work.spec?.reportBackStrategy?.type === 'Mirror';
  return !mirrors && outcomes.every(isWell) && manifests.every((one) => isPrepared(one) && canBeWatched(one.kind));
}

/** Whether it is available does not matter: that shows in the object, and nowhere else. */
function isWell({ result, drifts = [] }: Outcome): boolean {
  return result === 'NoDiffFound' || (result === 'Applied' && drifts.length === 0);
}

/** A kind that was not discovered says nothing of its verbs. */
function canBeWatched(kind: Kind & { readonly verbs?: readonly string[] }): boolean {
  return ['list', 'watch'].every((verb) => kind.verbs?.includes(verb) ?? true);
}
