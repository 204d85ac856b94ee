/** Candidates of placements in the caches of a hub, and which changes concern them. */
import { placementDecisions, type Placement, type PlacementFamily } from '@flotilla/api';
import { keyText, type KubeObject, type ObjectKey } from '@flotilla/kube';
import type { Cache, Indexes, Watched } from '@flotilla/runtime';
import { byOcmPlacement, decisionsOf, placementOfDecision } from '../ocm-placement/decision-ledger.ts';
import { candidateClusters, candidateSource, type CandidateClusters } from './candidate-clusters.ts';

const indexName = 'candidates-from';

/** For `indexes` of placements. */
export const byCandidateSource: Indexes = {
  [indexName]: (object) => {
    const source = candidateSource(object);
    return typeof source === 'object' ? [keyText(source)] : [];
  },
};

/** A watch for the scheduling of a family. Several PlacementDecisions often change together. */
export function watchedDecisions({ placement: kind }: PlacementFamily, collectChangesMs: number): Watched {
  return {
    kind: placementDecisions,
    indexes: byOcmPlacement,
    afterMs: () => collectChangesMs,
    concerns: (now, old, cache) => {
      const sources = [now, old].map((object) => object && placementOfDecision(object));
      return sources.flatMap((source) =>
        source === undefined ? [] : cache.indexed(kind, indexName, keyText(source)).map(keyOf),
      );
    },
  };
}

/** Undefined if the placement has no such annotation. */
export function candidatesOf(placement: Readonly<Placement>, cache: Cache): CandidateClusters | undefined {
  return candidateClusters(placement, (source) => decisionsOf(cache, source));
}

function keyOf({ metadata: { namespace, name = '' } }: Readonly<KubeObject>): ObjectKey {
  return { namespace, name };
}
