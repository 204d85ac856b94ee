/** Checks of what pods share with their host. */
import type { HandlerFields } from '@flotilla/builtins';
import { allContainers, containersWhere, securityOf, type Check, type PodLike, type Violation } from './check.ts';
import { formatContainers, plural, quoted, formatSetters, sorted } from './format.ts';

export const hostNamespaces: Check = { id: 'hostNamespaces', versions: [{ since: 0, find: findNamespaces }] };
export const hostPathVolumes: Check = { id: 'hostPathVolumes', versions: [{ since: 0, find: findHostPaths }] };
export const hostPorts: Check = { id: 'hostPorts', versions: [{ since: 0, find: findPorts }] };
export const hostProbes: Check = { id: 'hostProbesAndHostLifecycle', versions: [{ since: 34, find: findProbes }] };
export const windowsHostProcess: Check = { id: 'windowsHostProcess', versions: [{ since: 0, find: findHostProcess }] };

function findNamespaces({ spec }: PodLike): Violation | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field] === true);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
}

function findHostPaths({ spec }: PodLike): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: `${plural(names.length, 'volume')} ${quoted(names)}` };
}

function findPorts(pod: PodLike): Violation | undefined {
  const using = allContainers(pod).filter(({ ports = [] }) => ports.some(({ hostPort = 0 }) => hostPort !== 0));
  if (using.length === 0) return undefined;
  const taken = using.flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : hostPort)),
  );
  const ports = sorted(taken.map(String));
  const uses = `${formatContainers(using.map(({ name }) => name))} ${plural(using.length, 'uses', 'use')}`;
  return { reason: 'hostPort', detail: `${uses} ${plural(ports.length, 'hostPort')} ${ports.join(', ')}` };
}

function findProbes(pod: PodLike): Violation | undefined {
  const hosts: string[] = [];
  const using: string[] = [];
  for (const { name, livenessProbe, readinessProbe, startupProbe, lifecycle } of allContainers(pod)) {
    const handlers = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop];
    const found = handlers.flatMap(hostsOf);
    if (found.length > 0) using.push(name);
    hosts.push(...found);
  }
  if (using.length === 0) return undefined;
  const names = sorted(using);
  const uses = `${formatContainers(names)} ${plural(names.length, 'uses', 'use')}`;
  const forbidden = sorted(hosts);
  const what = plural(forbidden.length, 'probe or lifecycle host');
  return { reason: 'probe or lifecycle host', detail: `${uses} ${what} ${quoted(forbidden)}` };
}

function hostsOf(handler: HandlerFields | undefined): string[] {
  const hosts = [handler?.httpGet?.['host'], handler?.tcpSocket?.host];
  return hosts.filter((host): host is string => typeof host === 'string' && host !== '');
}

function findHostProcess(pod: PodLike): Violation | undefined {
  const containers = containersWhere(pod, ({ windowsOptions }) => windowsOptions?.hostProcess === true);
  const setters = formatSetters(securityOf(pod.spec).windowsOptions?.hostProcess === true, containers);
  if (setters === '') return undefined;
  return {
    reason: 'hostProcess',
    detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
  };
}
