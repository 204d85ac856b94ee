/** The checks of MemberClusters: taints, and Services that a leaving member still exports. */
import { memberClusters, memberNamespace, networkingApi, type MemberCluster } from '@flotilla/api';
import { refusedTaints } from '@flotilla/controllers';
import type { Kind } from '@flotilla/kube';
import type { FleetCheck, Outcome } from './fleet-check.ts';
import { changesSpec, changesSpecInCel, checkOf, refusalOf } from './placement-checks.ts';

const serviceExports: Kind = {
  ...networkingApi,
  kind: 'InternalServiceExport',
  plural: 'internalserviceexports',
  namespaced: true,
};

/** Members without agents of fleet networking export nothing, so they may always leave. */
export function memberClusterChecks(hasNetworkingAgents: boolean): FleetCheck {
  const operations = hasNetworkingAgents ? (['CREATE', 'UPDATE', 'DELETE'] as const) : (['CREATE', 'UPDATE'] as const);
  return {
    ...checkOf(memberClusters),
    kinds: [{ kind: memberClusters, subresources: [''], operations }],
    condition: `object == null || ${changesSpecInCel}`,
    decide: (request) => {
      if (request.operation === 'DELETE') return leaving(request.oldObject as MemberCluster | undefined);
      if (!changesSpec(request)) return undefined;
      return refusalOf(refusedTaints((request.object as MemberCluster).spec.taints ?? []));
    },
  };
}

function leaving(cluster: MemberCluster | undefined): Outcome {
  if (!cluster || cluster.spec.deleteOptions?.validationMode === 'Skip') return undefined;
  return {
    reads: [{ read: 'objects', kind: serviceExports, namespace: memberNamespace(cluster.metadata.name ?? '') }],
    decideWith: ([found]) => {
      const exported = found?.objects.find(({ metadata }) => metadata.deletionTimestamp === undefined);
      if (!exported) return undefined;
      const { namespace, name } = exported.metadata;
      return {
        refusal: `Please delete serviceExport ${namespace}/${name} in the member cluster before leaving, request is denied`,
      };
    },
  };
}
