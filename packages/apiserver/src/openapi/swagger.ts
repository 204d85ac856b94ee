import { parseStoredJson, stringifyMembers, type JsonObject, onceFor } from '@flotilla/kube';
import { runSteps, type LoopTurns, type Steps } from '@flotilla/timing';
import { groupsOf, listedGroups } from '../discovery/legacy.ts';
import type { Registry, ResourceCatalog } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import { hashOf } from './document.ts';
import { customPart, documentV2 } from './document-v2.ts';
import { encodeSwagger } from './swagger-protobuf.ts';

/** A part of the document: members of its objects, without braces, as JSON and as protobuf. */
interface Part {
  readonly rest?: string;
  readonly paths: string;
  readonly definitions: string;
  protobuf?: Uint8Array;
}

interface BuiltinPart extends Part {
  readonly rest: string;
  readonly hash: string;
}

interface Encoded {
  readonly changes: number;
  hash?: Promise<string>;
  json?: Promise<Uint8Array>;
  protobuf?: Promise<Uint8Array>;
}

/**
 * The v2 document. The part of each custom resource is built once. After a change, the next request concatenates the
 * finished parts, in JSON or protobuf.
 */
export class Swagger {
  readonly #registry: Registry;
  readonly #turns: LoopTurns;
  readonly #parts = new WeakMap<Resource, Part>();
  #encoded: Encoded | undefined;

  constructor(registry: Registry, turns: LoopTurns) {
    this.#registry = registry;
    this.#turns = turns;
  }

  /** Both encodings are one document and have one hash. */
  hash(): Promise<string> {
    return (this.#current().hash ??= this.#hash());
  }

  json(): Promise<Uint8Array> {
    return (this.#current().json ??= this.#json());
  }

  protobuf(): Promise<Uint8Array> {
    return (this.#current().protobuf ??= this.#protobuf());
  }

  /** What was built since the last change. */
  #current(): Encoded {
    const { changes } = this.#registry;
    if (this.#encoded?.changes !== changes) this.#encoded = { changes };
    return this.#encoded;
  }

  async #hash(): Promise<string> {
    const { hash } = await ofBuiltins(this.#registry.builtin, this.#turns);
    return hashOf([hash, ...this.#customResources().map(({ published }) => published?.hash() ?? '')]);
  }

  async #json(): Promise<Uint8Array> {
    const builtin = await ofBuiltins(this.#registry.builtin, this.#turns);
    const parts = [builtin, ...(await this.#customParts())];
    const paths = parts.map((part) => part.paths).join(',');
    const definitions = parts.map((part) => part.definitions).join(',');
    return Buffer.from(`{${builtin.rest},"paths":{${paths}},"definitions":{${definitions}}}\n`);
  }

  /** Concatenated protobuf messages are one message. */
  async #protobuf(): Promise<Uint8Array> {
    const builtin = await ofBuiltins(this.#registry.builtin, this.#turns);
    const encoded: Uint8Array[] = [];
    for (const part of [builtin, ...(await this.#customParts())]) {
      part.protobuf ??= await runSteps(this.#turns, encodeSwagger(documentOf(part)));
      encoded.push(part.protobuf);
    }
    return Buffer.concat(encoded);
  }

  #customResources(): Resource[] {
    return groupsOf(this.#registry)
      .flatMap(({ versions }) => versions.flatMap(({ resources }) => resources))
      .filter(({ isUnstructured }) => isUnstructured);
  }

  async #customParts(): Promise<Part[]> {
    const parts: Part[] = [];
    for (const resource of this.#customResources()) {
      let part = this.#parts.get(resource);
      if (!part) this.#parts.set(resource, (part = await runSteps(this.#turns, partOf(resource))));
      parts.push(part);
    }
    return parts;
  }
}

/** Without groups that discovery does not list. */
const ofBuiltins = onceFor(async (catalog: ResourceCatalog, turns: LoopTurns): Promise<BuiltinPart> => {
  const document = await runSteps(turns, documentV2(listedGroups(catalog.registered())));
  return builtinPart(document, turns);
});

function* partOf(resource: Resource): Steps<Part> {
  const { paths, definitions } = yield* customPart(resource);
  return { paths: stringifyMembers(paths), definitions: stringifyMembers(definitions) };
}

async function builtinPart(document: JsonObject, turns: LoopTurns): Promise<BuiltinPart> {
  const { paths = {}, definitions = {}, ...rest } = document;
  await turns.next();
  const part = {
    rest: stringifyMembers(rest),
    paths: stringifyMembers(paths as JsonObject),
    definitions: stringifyMembers(definitions as JsonObject),
  };
  return { ...part, hash: hashOf(Object.values(part)) };
}

function documentOf({ rest, paths, definitions }: Part): JsonObject {
  const before = rest === undefined ? '' : `${rest},`;
  return parseStoredJson(`{${before}"paths":{${paths}},"definitions":{${definitions}}}`) as JsonObject;
}
