/** Scenarios in which our controllers do not yet write what those of Kubernetes write, by the start of their names, with the reason. */
const knownDifferences: Readonly<Record<string, string>> = {
  'replica-set-quota': 'the server does not enforce ResourceQuotas',
};

export function knownDifferenceOf(scenario: string): string | undefined {
  return Object.entries(knownDifferences).find(([start]) => scenario.startsWith(start))?.[1];
}
