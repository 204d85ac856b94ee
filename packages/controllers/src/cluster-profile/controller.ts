import { clusterProfiles, fleetNamespace, memberClusters } from '@flotilla/api';
import type { Controller, Watched } from '@flotilla/runtime';
import { decideProfile, type ProfileState } from './decide.ts';
import type { HealthSettings } from './health.ts';

/** Keeps a ClusterProfile for each joined member, for tools of the cluster inventory API. */
export function clusterProfileController(settings: HealthSettings): Controller<ProfileState> {
  return {
    name: 'clusterprofile-controller',
    workers: 16,
    watches: [
      { kind: memberClusters, concerns: ofItsName },
      { kind: clusterProfiles, concerns: ofItsNameInFleet },
    ],
    observe: ({ name }, cache) => ({
      name,
      cluster: cache.get(memberClusters, { name }),
      profile: cache.get(clusterProfiles, { namespace: fleetNamespace, name }),
    }),
    decide: (state, now) => decideProfile(state, settings, now),
  };
}

const ofItsName: Watched['concerns'] = (now, old) => [{ name: (now ?? old)?.metadata.name ?? '' }];

/** Ignores profiles in other namespaces. */
const ofItsNameInFleet: Watched['concerns'] = (now, old, cache) =>
  (now ?? old)?.metadata.namespace === fleetNamespace ? ofItsName(now, old, cache) : [];
