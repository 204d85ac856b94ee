/** Scenarios in which our controllers do not write what those of Kubernetes write, each with its reason. */
export const knownDifferences: ReadonlyMap<string, string> = new Map([
  ['replica-set-quota', 'the server does not enforce ResourceQuotas'],
]);
