/** What the stories of staged updates place: a color, on clusters that are updated by runs. */
import { configMaps, type Story } from './story.ts';

const everywhere = ['east-1', 'east-2', 'west-1', 'west-2'];

export function webContent(color: string): string {
  return `
{ apiVersion: v1, kind: Namespace, metadata: { name: web } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { namespace: web, name: settings }, data: { color: ${color} } }
`;
}

export const externalPlacement = `
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: web }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: web }]
  strategy: { type: External }
`;

/** A run of the strategy `careful`, to the newest resources unless an index is given. */
export function carefulRun(name: string, index = ''): string {
  return `
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterStagedUpdateRun
metadata: { name: ${name} }
spec: { placementName: web, stagedRolloutStrategyName: careful, state: Run${index && `, resourceSnapshotIndex: '${index}'`} }
`;
}

/** The color on each cluster, or a dash. */
export async function colorsOf(story: Story): Promise<string[]> {
  const key = { namespace: 'web', name: 'settings' };
  const found = await Promise.all(everywhere.map((member) => story.on(member, configMaps, key)));
  return found.map((object) => (object?.['data'] as { color?: string } | undefined)?.color ?? '-');
}
