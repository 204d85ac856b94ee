import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { placementDefinitions } from '../all-definitions.ts';

/**
 * Resource, kind, short name, scope, versions with a star at the stored one, and whether it has a status subresource.
 */
const onTheWire = `
clusterresourceplacements ClusterResourcePlacement crp Cluster v1,v1beta1* status
resourceplacements ResourcePlacement rp Namespaced v1,v1beta1* status
clusterresourceplacementstatuses ClusterResourcePlacementStatus crps Namespaced v1,v1beta1* -
clusterschedulingpolicysnapshots ClusterSchedulingPolicySnapshot csps Cluster v1,v1beta1* status
schedulingpolicysnapshots SchedulingPolicySnapshot sps Namespaced v1beta1* status
clusterresourcesnapshots ClusterResourceSnapshot crs Cluster v1,v1beta1* status
resourcesnapshots ResourceSnapshot rs Namespaced v1beta1* status
clusterresourcebindings ClusterResourceBinding crb Cluster v1,v1beta1* status
resourcebindings ResourceBinding rb Namespaced v1beta1* status
clusterresourceenvelopes ClusterResourceEnvelope - Cluster v1beta1* -
resourceenvelopes ResourceEnvelope - Namespaced v1beta1* -
clusterresourceoverrides ClusterResourceOverride - Cluster v1,v1alpha1,v1beta1* -
resourceoverrides ResourceOverride - Namespaced v1,v1alpha1,v1beta1* -
clusterresourceoverridesnapshots ClusterResourceOverrideSnapshot - Cluster v1,v1alpha1,v1beta1* -
resourceoverridesnapshots ResourceOverrideSnapshot - Namespaced v1,v1alpha1,v1beta1* -
clusterstagedupdateruns ClusterStagedUpdateRun csur Cluster v1,v1alpha1,v1beta1* status
stagedupdateruns StagedUpdateRun sur Namespaced v1,v1beta1* status
clusterstagedupdatestrategies ClusterStagedUpdateStrategy csus Cluster v1,v1alpha1,v1beta1* status
stagedupdatestrategies StagedUpdateStrategy sus Namespaced v1,v1beta1* -
clusterapprovalrequests ClusterApprovalRequest careq Cluster v1,v1alpha1,v1beta1* status
approvalrequests ApprovalRequest areq Namespaced v1,v1beta1* status
clusterresourceplacementevictions ClusterResourcePlacementEviction crpe Cluster v1alpha1,v1beta1* status
clusterresourceplacementdisruptionbudgets ClusterResourcePlacementDisruptionBudget crpdb Cluster v1alpha1,v1beta1* -
`;

test('the kinds of placements have the names and versions of KubeFleet', () => {
  assert.deepEqual(placementDefinitions.map(inShort), onTheWire.trim().split('\n'));
});

test('kubectl finds them all as fleet and as fleet-placement', () => {
  for (const { spec } of placementDefinitions) assert.deepEqual(spec.names.categories, ['fleet', 'fleet-placement']);
});

function inShort({ spec: { names, scope, versions } }: CustomResourceDefinition): string {
  const served = versions.map(({ name, storage }) => (storage ? `${name}*` : name)).join();
  const status = versions.every(({ subresources }) => subresources?.status) ? 'status' : '-';
  return [names.plural, names.kind, names.shortNames?.join() ?? '-', scope, served, status].join(' ');
}
