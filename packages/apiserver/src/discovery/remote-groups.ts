import { compareVersions } from '../resources/version-order.ts';
import type { Registry, RemoteVersion } from '../resources/registry.ts';
import { groupsOf, listedGroup, type Group, type GroupVersion } from './legacy.ts';

/** Priorities of the APIServices of definitions. */
const customGroupPriority = 1000;
const customVersionPriority = 100;

/** The highest priority of a version in a built-in group. */
const builtinVersionPriority = 30;

interface AllGroups {
  /** In the order of the list of groups: equal priorities by the names of APIServices. */
  readonly listed: readonly Group[];
  /** In the order of aggregated discovery: equal priorities by the names of groups. */
  readonly aggregated: readonly Group[];
}

/** All groups that discovery lists, including those of other servers. */
export function allGroups(registry: Registry): AllGroups {
  const local = groupsOf(registry);
  if (registry.remote.size === 0) return { listed: local, aggregated: local };
  const names = new Set(local.map(({ name }) => name));
  const own = local.map((group) => withRemote(group, registry));
  const remote = [...registry.remote.values()].filter(({ group }) => !names.has(group));
  return {
    listed: merged(own, remote.sort(byName), registry),
    aggregated: merged(own, remote.sort(byGroup), registry),
  };
}

/** One of these groups. */
export function oneGroup(registry: Registry, name: string): Group | undefined {
  const local = listedGroup(registry, name);
  if (registry.remote.size === 0) return local;
  const group = withRemote(local ?? { name, versions: [] }, registry);
  return group.versions.length > 0 ? group : undefined;
}

/** Built-in groups come first. Groups of definitions are sorted together with those of other servers. */
function merged(own: readonly Group[], remote: readonly RemoteVersion[], registry: Registry): Group[] {
  const priorities = new Map<string, number>();
  for (const { group, groupPriority } of remote) {
    priorities.set(group, Math.max(groupPriority, priorities.get(group) ?? 0));
  }
  const added = [...priorities].sort(([, a], [, b]) => b - a);
  const groups = (isWanted: (priority: number) => boolean): Group[] =>
    added.filter(([, priority]) => isWanted(priority)).map(([name]) => withRemote({ name, versions: [] }, registry));
  return [
    ...own.filter(({ name }) => registry.isBuiltinGroup(name)),
    ...groups((priority) => priority > customGroupPriority),
    ...own.filter(({ name }) => !registry.isBuiltinGroup(name)),
    ...groups((priority) => priority <= customGroupPriority),
  ];
}

function withRemote(group: Group, registry: Registry): Group {
  const remote = [...registry.remote.values()].filter(
    (candidate) => candidate.group === group.name && registry.isRemote(candidate.group, candidate.version),
  );
  if (remote.length === 0) return group;
  const isBuiltin = registry.isBuiltinGroup(group.name);
  const local = group.versions.map((version) => ({
    version,
    priority: isBuiltin ? builtinVersionPriority : customVersionPriority,
  }));
  const added = remote.map(({ version, versionPriority }) => ({
    version: staleVersion(version),
    priority: versionPriority,
  }));
  const versions = [...local, ...added].sort(
    (a, b) => b.priority - a.priority || compareVersions(b.version.version, a.version.version),
  );
  return { name: group.name, versions: versions.map(({ version }) => version) };
}

function staleVersion(version: string): GroupVersion {
  return { version, resources: [], changes: 0, isStale: true };
}

function byName(a: RemoteVersion, b: RemoteVersion): number {
  return a.name < b.name ? -1 : 1;
}

function byGroup(a: RemoteVersion, b: RemoteVersion): number {
  return a.group < b.group ? -1 : 1;
}
