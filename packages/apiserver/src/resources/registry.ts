import type { Resource } from './resource.ts';

/** All resources that a server serves, found by where requests name them. */
export class Registry {
  readonly #byVersion = new Map<string, Map<string, Resource>>();
  readonly #groups = new Set<string>();

  constructor(resources: readonly Resource[]) {
    for (const resource of resources) this.#add(resource);
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byVersion.get(versionKey(group, version))?.get(plural);
  }

  hasVersion(group: string, version: string): boolean {
    return this.#byVersion.has(versionKey(group, version));
  }

  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  /** In the order they were given, which is the order of discovery. */
  all(): Iterable<Resource> {
    return [...this.#byVersion.values()].flatMap((resources) => [...resources.values()]);
  }

  #add(resource: Resource): void {
    this.#groups.add(resource.group);
    const key = versionKey(resource.group, resource.version);
    let resources = this.#byVersion.get(key);
    if (!resources) this.#byVersion.set(key, (resources = new Map()));
    resources.set(resource.plural, resource);
  }
}

function versionKey(group: string, version: string): string {
  return `${group}/${version}`;
}
