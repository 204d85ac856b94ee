import { discover, type DiscoveredKind, type Discovery } from '@flotilla/client';
import { customResourceDefinitions, isJsonObject, textOf, type JsonObject, type KubeObject } from '@flotilla/kube';
import { pause } from '@flotilla/timing';
import type { Session } from '../session/session.ts';
import { UserError } from '../user-error.ts';
import type { Manifest } from './manifest-files.ts';

/** A manifest that names an object of a kind that the server has. */
export interface ManifestObject {
  readonly kind: DiscoveredKind;
  readonly object: KubeObject;
}

const retryAfterMs = 250;
const retries = 20;

/** Finds the kinds of manifests. Kinds that an earlier manifest defines may take a moment to be served. */
export class ManifestKinds {
  readonly #session: Session;
  readonly #discovery: Discovery;
  readonly #namespace: string | undefined;
  readonly #defined: ReadonlySet<string>;

  constructor(session: Session, manifests: readonly Manifest[], namespace: string | undefined) {
    this.#session = session;
    this.#discovery = discover(session.hub);
    this.#namespace = namespace;
    this.#defined = new Set(manifests.flatMap(({ value }) => definedKind(value) ?? []));
  }

  async objectIn({ file, value }: Manifest): Promise<ManifestObject> {
    const { apiVersion, kind: kindName, metadata } = value;
    if (typeof apiVersion !== 'string' || typeof kindName !== 'string') {
      throw new UserError(`${file}: an object has no apiVersion or no kind.`);
    }
    if (!isJsonObject(metadata) || typeof metadata['name'] !== 'string') {
      throw new UserError(`${file}: a ${kindName} has no metadata.name.`);
    }
    const kind = await this.#find(apiVersion, kindName);
    if (kind === undefined) {
      throw new UserError(`${file}: the server has no kind ${kindName} in ${apiVersion}; apply its definition first.`);
    }
    return { kind, object: { ...value, metadata: this.#placed(metadata, kind, file) } as unknown as KubeObject };
  }

  /** With its namespace: that of the manifest, of `-n` or of the context. */
  #placed({ namespace, ...metadata }: JsonObject, kind: DiscoveredKind, file: string): JsonObject {
    if (!kind.namespaced) return metadata;
    if (typeof namespace === 'string' && this.#namespace !== undefined && namespace !== this.#namespace) {
      const object = `${kind.kind} ${textOf(metadata['name'])}`;
      throw new UserError(`${file}: ${object} is in namespace ${namespace}, not in ${this.#namespace} as -n says.`);
    }
    return { ...metadata, namespace: namespace ?? this.#namespace ?? this.#session.namespace };
  }

  async #find(apiVersion: string, kind: string): Promise<DiscoveredKind | undefined> {
    const [version = '', group = ''] = apiVersion.split('/').toReversed();
    const isDefined = this.#defined.has(`${group}/${kind}`);
    for (let tries = 0; ; tries++) {
      const found = await this.#discovery.find({ group, version, kind });
      if (found !== undefined || !isDefined || tries >= retries) return found;
      await pause(this.#session.clock, retryAfterMs, this.#session.signal);
    }
  }
}

/** `example.com/Widget`; undefined if the manifest is not a CustomResourceDefinition. */
function definedKind({ kind, spec }: JsonObject): string | undefined {
  if (kind !== customResourceDefinitions.kind || !isJsonObject(spec) || !isJsonObject(spec['names'])) return undefined;
  return `${textOf(spec['group'])}/${textOf(spec['names']['kind'])}`;
}
