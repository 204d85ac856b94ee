/** Scenarios in which our controllers do not yet write what those of Kubernetes write, by the start of their names, with the reason. */
const knownDifferences: Readonly<Record<string, string>> = {
  'daemon-set-min-ready': 'the recording ends between two timers of Kubernetes',
  'daemon-set-node-removed': 'the recorded node has no lease and becomes unreachable',
  'daemon-set-node-selector': 'the recorded node has no lease and becomes unreachable',
  'replica-set-quota': 'the server does not enforce ResourceQuotas',
  'stateful-set-claims-deleted': 'the recording has an event of a lost race within Kubernetes',
};

export function knownDifferenceOf(scenario: string): string | undefined {
  return Object.entries(knownDifferences).find(([start]) => scenario.startsWith(start))?.[1];
}
