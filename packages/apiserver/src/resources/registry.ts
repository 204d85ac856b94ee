import type { GroupVersionKind, Kind } from '@flotilla/kube';
import { compareVersions } from './version-order.ts';
import type { Resource } from './resource.ts';

/** The resources of one version of a group. */
export interface RegisteredVersion {
  readonly version: string;
  readonly resources: readonly Resource[];
  /** Grows with every change of this version, so that documents about it notice that they are outdated. */
  readonly changes: number;
}

export interface RegisteredGroup {
  readonly name: string;
  readonly versions: readonly RegisteredVersion[];
}

/** A group version that another server serves, from its APIService. */
export interface RemoteVersion {
  /** The name of the APIService. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/** Immutable resources by group, version and plural. Servers may share a catalog. */
export class ResourceCatalog {
  readonly versions: ReadonlyMap<string, Version>;
  /** Versions of each group, in the order of discovery. */
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, Version>>;

  constructor(resources: readonly Resource[]) {
    const [versions, groups] = [new Map<string, Version>(), new Map<string, Map<string, Version>>()];
    for (const resource of resources) add(versions, groups, resource, 'as added');
    this.versions = versions;
    this.groups = groups;
  }

  find({ group, version, plural }: Pick<Kind, 'group' | 'version' | 'plural'>): Resource | undefined {
    return this.versions.get(versionKey(group, version))?.resources.get(plural);
  }

  *registered(): Iterable<RegisteredGroup> {
    for (const [name, versions] of this.groups) {
      yield { name, versions: [...versions.values()].map((version) => version.toRegistered()) };
    }
  }
}

/**
 * All resources of a server by group, version and plural. Built-in ones are fixed. Those of definitions are added and removed
 * while the server runs, and a change affects only its own group version.
 */
export class Registry {
  readonly builtin: ResourceCatalog;
  readonly #custom = new Map<string, Version>();
  readonly #customGroups = new Map<string, Map<string, Version>>();
  /** By the name of the APIService. */
  readonly #remote = new Map<string, RemoteVersion>();
  #changes = 0;

  constructor(builtin: ResourceCatalog) {
    this.builtin = builtin;
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#versionOf(group, version)?.resources.get(plural);
  }

  findKind({ group, version, kind }: GroupVersionKind): Kind | undefined {
    for (const resource of this.#versionOf(group, version)?.resources.values() ?? []) {
      const { plural, namespaced } = resource;
      if (resource.kind === kind) return { group, version, kind, plural, namespaced };
    }
    return undefined;
  }

  hasVersion(group: string, version: string): boolean {
    return this.#versionOf(group, version) !== undefined;
  }

  /** Whether the group version is built-in: definitions cannot add resources to it. */
  isBuiltin(group: string, version: string): boolean {
    return this.builtin.versions.has(versionKey(group, version));
  }

  isBuiltinGroup(group: string): boolean {
    return this.builtin.groups.has(group);
  }

  /** Grows with every change of the registry. */
  get changes(): number {
    return this.#changes;
  }

  get remote(): ReadonlyMap<string, RemoteVersion> {
    return this.#remote;
  }

  /** Whether another server serves the group version. */
  isRemote(group: string, version: string): boolean {
    return this.#remote.has(`${version}.${group}`) && !this.hasVersion(group, version);
  }

  putRemote(remote: RemoteVersion): void {
    this.#remote.set(remote.name, remote);
    this.#changes++;
  }

  removeRemote(name: string): void {
    if (this.#remote.delete(name)) this.#changes++;
  }

  put(resource: Resource): void {
    add(this.#custom, this.#customGroups, resource, 'by name');
    this.#changes++;
  }

  remove({ group, version, plural }: Resource): void {
    const key = versionKey(group, version);
    const found = this.#custom.get(key);
    if (!found?.resources.delete(plural)) return;
    found.changes++;
    this.#changes++;
    if (found.resources.size > 0) return;
    this.#custom.delete(key);
    const versions = this.#customGroups.get(group);
    versions?.delete(version);
    if (versions?.size === 0) this.#customGroups.delete(group);
  }

  /** Call when the discovery entry of a resource has changed. */
  touch({ group, version }: Resource): void {
    const found = this.#custom.get(versionKey(group, version));
    if (found) found.changes++;
    this.#changes++;
  }

  *all(): Iterable<Resource> {
    for (const { resources } of this.builtin.versions.values()) yield* resources.values();
    for (const [key, { resources }] of this.#custom) if (!this.builtin.versions.has(key)) yield* resources.values();
  }

  /** In the order of discovery: built-in groups by priority, then those of definitions by name, newest version first. */
  *groups(): Iterable<RegisteredGroup> {
    for (const name of this.builtin.groups.keys()) yield this.group(name);
    const names = [...this.#customGroups.keys()].filter((name) => !this.builtin.groups.has(name));
    for (const name of names.sort()) yield this.group(name);
  }

  /** Without versions if nothing is served. */
  group(name: string): RegisteredGroup {
    const builtin = this.builtin.groups.get(name);
    const fixed = [...(builtin?.values() ?? [])].map((version) => version.toRegistered());
    const added = [...(this.#customGroups.get(name) ?? [])].filter(([version]) => !builtin?.has(version));
    return { name, versions: [...fixed, ...inOrder(added)] };
  }

  #versionOf(group: string, version: string): Version | undefined {
    const key = versionKey(group, version);
    return this.builtin.versions.get(key) ?? this.#custom.get(key);
  }
}

/** Definitions are added and removed in any order, but listed by name. */
type Order = 'as added' | 'by name';

class Version {
  readonly version: string;
  readonly resources = new Map<string, Resource>();
  changes = 0;
  readonly #order: Order;
  #registered: RegisteredVersion | undefined;

  constructor(version: string, order: Order) {
    this.version = version;
    this.#order = order;
  }

  /** Returns the same object until something changes, so that callers can cache by it. */
  toRegistered(): RegisteredVersion {
    const { version, changes } = this;
    if (this.#registered?.changes === changes) return this.#registered;
    const resources = [...this.resources.values()];
    if (this.#order === 'by name') resources.sort(byPlural);
    return (this.#registered = { version, resources, changes });
  }
}

function add(
  versions: Map<string, Version>,
  groups: Map<string, Map<string, Version>>,
  resource: Resource,
  order: Order,
): void {
  const { group, version, plural } = resource;
  const key = versionKey(group, version);
  let found = versions.get(key);
  if (!found) {
    versions.set(key, (found = new Version(version, order)));
    const ofGroup = groups.get(group);
    if (ofGroup) ofGroup.set(version, found);
    else groups.set(group, new Map([[version, found]]));
  }
  found.resources.set(plural, resource);
  found.changes++;
}

function inOrder(versions: [string, Version][]): RegisteredVersion[] {
  return versions.sort(([a], [b]) => compareVersions(b, a)).map(([, version]) => version.toRegistered());
}

function byPlural(a: Resource, b: Resource): number {
  return a.plural < b.plural ? -1 : 1;
}

function versionKey(group: string, version: string): string {
  return `${group}/${version}`;
}
