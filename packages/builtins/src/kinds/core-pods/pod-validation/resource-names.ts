/** Valid names of resources, and what a name says about its resource. */
import { qualifiedNameProblems, invalid, notSupported, type FieldError } from '@flotilla/kube';
import { invalidForEach } from './checks.ts';

const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Resources that exist only as whole numbers. So do all resources with a domain. */
const countedResources: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

const standardResources: ReadonlySet<string> = new Set([
  ...containerResources,
  ...countedResources,
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'storage',
  'requests.storage',
]);

const hugePagesPrefix = 'hugepages-';

export function isHugePages(name: string): boolean {
  return name.startsWith(hugePagesPrefix);
}

/** Whether requests may exceed what the node has. */
export function mayBeOvercommitted(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

export function isCounted(name: string): boolean {
  return countedResources.has(name) || isExtended(name);
}

export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

export function checkContainerResourceName(errors: FieldError[], path: string, name: string): void {
  if (containerResources.has(name)) return;
  checkResourceName(errors, path, name);
  if (!name.includes('/')) {
    if (!isHugePages(name)) errors.push(invalid(path, name, 'must be a standard resource for containers'));
  } else if (!isNative(name) && !isExtended(name)) {
    errors.push(invalid(path, name, "doesn't follow extended resource name standard"));
  }
}

export function checkPodResourceName(errors: FieldError[], path: string, name: string): void {
  const before = errors.length;
  checkResourceName(errors, path, name);
  if (errors.length === before && !isPodLevelResource(name)) {
    errors.push(notSupported(path, name, ['cpu', hugePagesPrefix, 'memory']));
  }
}

export function checkResourceName(errors: FieldError[], path: string, name: string): void {
  const problems = qualifiedNameProblems(name);
  if (problems.length > 0) return invalidForEach(errors, path, name, problems);
  if (name.includes('/') || standardResources.has(name)) return;
  if (isHugePages(name) || name.startsWith('requests.hugepages-')) return;
  errors.push(invalid(path, name, 'must be a standard resource type or fully qualified'));
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && qualifiedNameProblems(`requests.${name}`).length === 0;
}
