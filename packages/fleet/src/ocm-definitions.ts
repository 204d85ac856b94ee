/** Whether OCM is installed on a server is seen from its definitions. */
import {
  addOnPlacementScores,
  managedClusters,
  managedClusterSetBindings,
  managedClusterSets,
  ocmPlacements,
  ownDefinitionAnnotation,
  placementDecisions,
} from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';

/** Only OCM's operator has it. */
const operatorDefinition = 'clustermanagers.operator.open-cluster-management.io';

/** The kinds of OCM's hubs. ClusterClaims also exist on clusters that only have an agent of OCM. */
const kindDefinitions: readonly string[] = [
  managedClusters,
  managedClusterSets,
  managedClusterSetBindings,
  ocmPlacements,
  placementDecisions,
  addOnPlacementScores,
].map(({ plural, group }) => `${plural}.${group}`);

/** The names of definitions that say whether OCM is installed. */
export const ocmDefinitions: readonly string[] = [operatorDefinition, ...kindDefinitions];

/** Whether this definition is there because OCM is: that of its operator, or one of its kinds that is not ours. */
export function isOfOcm({ metadata: { name = '', annotations } }: Readonly<KubeObject>): boolean {
  if (name === operatorDefinition) return true;
  return kindDefinitions.includes(name) && annotations?.[ownDefinitionAnnotation] !== 'true';
}
