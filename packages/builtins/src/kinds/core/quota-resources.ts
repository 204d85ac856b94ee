/** Which resources a quota may count. */
const quotaResources: ReadonlySet<string> = new Set([
  ...['', 'requests.', 'limits.'].flatMap((prefix) => [
    `${prefix}cpu`,
    `${prefix}memory`,
    `${prefix}ephemeral-storage`,
  ]),
  'requests.storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);

export function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');
}
